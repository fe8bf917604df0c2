"""PLT004: the driver window that a moved page once claimed, said in addition to PLT003 and never instead of it."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import runtime_version
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.driver_window import dated_claim


def check(ctx: Context) -> Iterator[Finding]:
    """Confirm inside the window, a note where the claim does not help."""
    claim = dated_claim(ctx)
    if claim is None:
        return
    driver, rocm = ctx.target.amdgpu, runtime_version(ctx)
    said = f'A page once claimed that "{claim.claim}" (the page is {claim.status})'
    if claim.days_apart is None:
        effect = Effect.NOTE
        reason = f"{said}; it cannot be applied, since the days of amdgpu {driver} and ROCm {rocm} are not both known."
        remedy = "Rely on the enumerated driver list; the claim is dated evidence and no guarantee."
    elif claim.days_apart <= claim.limit:
        effect = Effect.CONFIRM
        reason = f"{said}; amdgpu {driver} and ROCm {rocm} were released {claim.days_apart} days apart, inside it."
        remedy = "Confirm with AMD or by a rehearsal that this pair works; the page moved, so the claim may not hold."
    else:
        effect = Effect.NOTE
        reason = f"{said}; amdgpu {driver} and ROCm {rocm} were released {claim.days_apart} days apart, outside it."
        remedy = "Install a driver of the enumerated list: a reboot in a maintenance window."
    yield RULE.finding(effect, reason, remedy, value=driver, evidence=claim.evidence)


RULE = Rule(
    id="PLT004",
    name="driver-window-is-dated",
    class_="PLATFORM",
    why=(
        "Before drivers were enumerated, a page promised that driver and user space released within a year of each"
        " other work together. The page moved; what it said is evidence of its day and no guarantee."
    ),
    fix="Prefer a driver of the enumerated list; where none can be had, try the pair on one node first.",
    references=(
        "https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/user-kernel-space-compat-matrix.html",
    ),
    reads=("the target's amdgpu and ROCm versions, where PLT003 did not find the driver listed",),
    examples=(
        Example(
            "hit",
            "the driver released with ROCm 7.14.0 lies inside the window of ROCm 10.0.0, whose list is not known",
            target={"rocm": "10.0.0", "amdgpu": "31.40.1"},
            effect=Effect.CONFIRM,
        ),
        Example("miss", "a listed driver needs no claim", target={"amdgpu": "31.40.1"}),
        Example(
            "unknown",
            "the day on which 6.4.3 was released is not known: the claim exists and cannot be applied",
            target={"amdgpu": "6.4.3"},
            effect=Effect.NOTE,
        ),
    ),
    check=check,
    scope="target",
)
