"""PLT009: a DeviceConfig that enables the device plugin and the DRA driver at once."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.matrices.knowledge import NEWEST
from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.device_configs import device_configs


def check(ctx: Context) -> Iterator[Finding]:
    """The device plugin is on where nothing is said, so switching DRA on alone is enough for a conflict."""
    version = ctx.target.operator or NEWEST
    key = "device-config/devicePlugin.enableDevicePlugin/excludes"
    for config in device_configs(ctx):
        if not config.on("draDriver.enable", False):
            continue
        stated = config.get("devicePlugin.enableDevicePlugin")
        if stated is not None and not isinstance(stated, bool) and str(stated).lower() not in ("true", "false"):
            yield RULE.finding(
                Effect.CONFIRM,
                f"The DeviceConfig enables the DRA driver; whether the device plugin is on cannot be told: {stated}.",
                "Set spec.devicePlugin.enableDevicePlugin to false, since both cannot be enabled at the same time.",
                place=config.place,
                value=str(stated),
                about=config.about,
            )
        elif config.on("devicePlugin.enableDevicePlugin", True):
            how = "on" if stated is not None else "on by default"
            yield RULE.finding(
                Effect.CHANGE,
                f"The DeviceConfig enables the DRA driver while the device plugin is {how}: they exclude each other.",
                "Set spec.devicePlugin.enableDevicePlugin to false, or spec.draDriver.enable to false.",
                place=config.place,
                value=config.name,
                evidence=[ctx.ledger.evidence(OPERATOR, ctx.ledger.cell(OPERATOR, key, version) or key, version)],
                about=config.about,
            )


def _config(plugin: object) -> dict[str, object]:
    spec = {"devicePlugin": {"enableDevicePlugin": plugin}, "draDriver": {"enable": True}, "driver": {"enable": False}}
    return {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "metadata": {"name": "gpus"}, "spec": spec}


RULE = Rule(
    id="PLT009",
    name="plugin-and-dra-together",
    class_="PLATFORM",
    why="Device plugin and DRA driver both hand out the same GPUs; the operator refuses to run them together.",
    fix="Choose one way of allocation in the DeviceConfig and switch the other off.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/device_plugin/device-plugin.html",),
    reads=("DeviceConfig objects of the target and among the manifests",),
    examples=(
        Example("hit", "both enabled", target={"device_config": _config(True)}, effect=Effect.CHANGE),
        Example("hit", "the plugin is on by default", target={"device_config": _config(None)}, effect=Effect.CHANGE),
        Example("miss", "the plugin is switched off", target={"device_config": _config(False)}),
        Example(
            "unknown",
            "a placeholder stands where the switch belongs",
            target={"device_config": _config("${PLUGIN}")},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
    scope="both",
)
