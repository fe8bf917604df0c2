"""PLT008: a DeviceConfig that has the driver installed without what that requires."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import OPERATOR
from portability.engine.matrices.knowledge import NEWEST
from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.device_configs import DeviceConfig, device_configs


def check(ctx: Context) -> Iterator[Finding]:
    """One finding at most for each DeviceConfig."""
    version = ctx.target.operator or NEWEST
    for config in device_configs(ctx):
        if config.get("driver.enable") is None:
            yield _unset(ctx, config, version)
            continue
        missing = _missing(config, bool(ctx.target.openshift)) if config.on("driver.enable", False) else []
        if not missing:
            continue
        requires = ctx.ledger.cell(OPERATOR, "device-config/driver.enable/requires", version)
        yield RULE.finding(
            Effect.CHANGE,
            f"The DeviceConfig has the driver installed (spec.driver.enable) but lacks {', '.join(missing)}.",
            f"Set {', '.join('spec.' + each for each in missing)}, and plan a reboot of the nodes for the driver.",
            place=config.place,
            value=", ".join(missing),  # what is accepted of it is accepted of these
            evidence=[ctx.ledger.evidence(OPERATOR, requires or "device-config/driver.enable/requires", version)],
            about=config.about,
        )


def _missing(config: DeviceConfig, openshift: bool) -> list[str]:
    """What an enabled driver lacks. On OpenShift the inbox driver is kept out by a MachineConfig instead."""
    missing = []
    if not openshift and not config.on("driver.blacklist", False):
        missing.append("driver.blacklist=true")
    if not config.get("driver.version"):
        missing.append("driver.version")
    if not config.on("devicePlugin.enableNodeLabeller", True):
        missing.append("devicePlugin.enableNodeLabeller=true")
    return missing


def _unset(ctx: Context, config: DeviceConfig, version: str) -> Finding:
    keys = ("device-config/driver.enable/default", "device-config/driver.enable/default-elsewhere")
    cells = [(key, ctx.ledger.cell(OPERATOR, key, version)) for key in keys]
    words = [f"{cell.value} {cell.note}".strip() if cell else "not stated" for _, cell in cells]
    return RULE.finding(
        Effect.NOTE,
        f"The DeviceConfig leaves spec.driver.enable unset, and two defaults are documented: {words[0]}, {words[1]}.",
        "Set spec.driver.enable: true installs the out-of-tree driver, false uses the one on the node.",
        place=config.place,
        value=config.name,
        evidence=[ctx.ledger.evidence(OPERATOR, cell or key, version) for key, cell in cells],
        about=config.about,
    )


_CONFIG = {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "metadata": {"name": "gpus"}}
RULE = Rule(
    id="PLT008",
    name="device-config-incomplete",
    class_="PLATFORM",
    why=(
        "An operator that installs the driver needs the inbox driver kept out, an exact version, and the node"
        " labeller; without them nodes come up with the wrong driver or with none."
    ),
    fix="Set driver.blacklist and driver.version and keep the node labeller on, or set driver.enable to false.",
    references=("https://instinct.docs.amd.com/projects/gpu-operator/en/latest/drivers/installation.html",),
    reads=("DeviceConfig objects of the target and among the manifests",),
    examples=(
        Example(
            "hit",
            "a driver to be installed without blacklist",
            target={"device_config": {**_CONFIG, "spec": {"driver": {"enable": True, "version": "30.20.1"}}}},
            effect=Effect.CHANGE,
        ),
        Example(
            "miss",
            "complete",
            target={
                "device_config": {
                    **_CONFIG,
                    "spec": {"driver": {"enable": True, "version": "30.20.1", "blacklist": True}},
                }
            },
        ),
        Example(
            "unknown",
            "enable unset: two defaults are documented, both are named",
            target={"device_config": {**_CONFIG, "spec": {"driver": {"version": "30.20.1"}}}},
            effect=Effect.NOTE,
        ),
    ),
    check=check,
    scope="both",
)
