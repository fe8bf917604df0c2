"""How custom rules are spoken of, and examples of them. No database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from portability.engine.custom_rules.rule import ANY
from portability.engine.model import Effect, Vendor
from portability.rules.models import CustomRule

EFFECTS: Mapping[Effect, str] = {
    Effect.CHANGE: "to change",
    Effect.BLOCKS: "blocks: no way to the target",
    Effect.CONFIRM: "to confirm",
    Effect.NOTE: "a note only",
}
APPLIES_TO: Mapping[str, str] = {
    ANY: "every target",
    Vendor.AMD.value: "AMD targets only",
    Vendor.NVIDIA.value: "NVIDIA targets only",
}
STATES: Mapping[str, str] = {
    CustomRule.State.DRAFT: "draft",
    CustomRule.State.ENABLED: "enabled",
    CustomRule.State.OFF: "switched off",
    CustomRule.State.REMOVED: "removed",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A rule as one might write it."""

    says: str
    path: str
    condition: str


EXAMPLES = (
    Example(
        "Images come from the organisation’s own registry.",
        "$..containers[*].image",
        "!value.startsWith('registry.bank.example/')",
    ),
    Example("No pod uses the host’s network.", "$..hostNetwork", "value == true"),
    Example(
        "A container with GPUs says how much memory it may use.",
        "$..containers[?@.resources.limits]",
        r"value.resources.limits.exists(k, k.matches(r'\.com/gpu$')) && !has(value.resources.limits.memory)",
    ),
    Example(
        "Models are not fetched from outside when a pod starts.",
        "$..containers[*]",
        "!has(value.env) || !value.env.exists(e, e.name == 'HF_HUB_OFFLINE')",
    ),
    Example(
        "Deployments name the cost centre that pays for them.",
        "$",
        "document.kind == 'Deployment' && !has(document.metadata.labels.costCentre)",
    ),
    Example(
        "More than eight replicas need capacity that the new cluster may not have.",
        "$.spec.replicas",
        "value > 8 && has(target.gpus_per_node) && target.gpus_per_node < 8",
    ),
)
