"""PLT011: a DeviceConfig whose operand images are not pinned."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR, listed
from portability.engine.matrices.knowledge import NEWEST
from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.device_configs import DeviceConfig, device_configs

_KEY = "device-config/images-default-to-latest"
_SWITCHES = {
    "devicePlugin.devicePluginImage": "devicePlugin.enableDevicePlugin",
    "devicePlugin.nodeLabellerImage": "devicePlugin.enableNodeLabeller",
}


def check(ctx: Context) -> Iterator[Finding]:
    """One note for each DeviceConfig that lets an image float."""
    version = ctx.target.operator or NEWEST
    for config in device_configs(ctx):
        cell = ctx.ledger.cell(OPERATOR, _KEY, version)
        floating = [path for path in (listed(cell.value) if cell else []) if _floats(config, path)]
        if not floating:
            continue
        yield RULE.finding(
            Effect.NOTE,
            f"The DeviceConfig leaves {' and '.join(floating)} unset or at latest, so nodes may differ.",
            "Pin each operand image to the version that belongs to the operator's release.",
            place=config.place,
            value=config.name,
            evidence=[ctx.ledger.evidence(OPERATOR, cell or _KEY, version)],
            about=config.about,
        )


def _floats(config: DeviceConfig, path: str) -> bool:
    if not config.on(_SWITCHES.get(path, path), True):
        return False
    image = str(config.get(path) or "")
    tag = image.rpartition("/")[2].partition(":")[2]
    return "@" not in image and (not tag or tag == "latest" or tag.endswith("-latest"))


def _config(**plugin: str) -> dict[str, object]:
    spec = {"devicePlugin": plugin, "driver": {"enable": False}}
    return {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "metadata": {"name": "gpus"}, "spec": spec}


RULE = Rule(
    id="PLT011",
    name="operand-image-floats",
    class_="HYGIENE",
    why="Operand images default to latest: what hands out GPUs can change under a running cluster.",
    fix="Pin devicePluginImage and nodeLabellerImage.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/device_plugin/device-plugin.html",),
    reads=("DeviceConfig objects of the target and among the manifests",),
    examples=(
        Example(
            "hit",
            "latest by name",
            target={
                "device_config": _config(
                    devicePluginImage="rocm/k8s-device-plugin:latest",
                    nodeLabellerImage="rocm/k8s-device-plugin:labeller-latest",
                )
            },
            effect=Effect.NOTE,
        ),
        Example(
            "miss",
            "both pinned",
            target={
                "device_config": _config(
                    devicePluginImage="rocm/k8s-device-plugin:1.31.0.8",
                    nodeLabellerImage="rocm/k8s-device-plugin:labeller-1.31.0.8",
                )
            },
        ),
        Example(
            "unknown",
            "unset: which version runs cannot be told, so it counts as floating",
            target={"device_config": _config()},
            effect=Effect.NOTE,
        ),
    ),
    check=check,
    scope="both",
)
