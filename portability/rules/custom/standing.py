"""Which custom rules there are, as the engine's values."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from portability.engine.custom_rules.rule import CustomRule as EngineRule
from portability.engine.model import Effect
from portability.rules.models import CustomRule


def enabled_rules() -> tuple[EngineRule, ...]:
    """The rules that workloads are judged by, in the order of their ids."""
    return tuple(engine_rule(rule) for rule in CustomRule.objects.filter(state=CustomRule.State.ENABLED))


def engine_rule(stored: CustomRule) -> EngineRule:
    """A stored rule as the engine's value."""
    return EngineRule(
        id=stored.label,
        name=stored.name,
        path=stored.path,
        condition=stored.condition,
        effect=Effect(stored.effect),
        reason=stored.reason,
        remedy=stored.remedy,
        link=stored.link,
        applies_to=stored.applies_to,
        enabled=stored.state == CustomRule.State.ENABLED,
        entered=stored.entered,
    )


def kept() -> QuerySet[CustomRule]:
    """Every rule that was not removed, with who wrote it and who changed its state."""
    return CustomRule.objects.exclude(state=CustomRule.State.REMOVED).select_related("entered_by", "state_by")


def at_fault() -> QuerySet[CustomRule]:
    """The rules that the product switched off: somebody has to look at them."""
    return CustomRule.objects.filter(state=CustomRule.State.OFF, state_by=None)


def names_of(labels: Iterable[str]) -> dict[str, str]:
    """The names of rules by their ids, removed ones too: old findings are still theirs."""
    numbers = [int(label.removeprefix("ORG")) for label in labels]
    return {rule.label: rule.name for rule in CustomRule.objects.filter(number__in=numbers)}


def by_label(label: str) -> CustomRule | None:
    """The rule of this id, removed ones too: what rested on one leads to its page."""
    digits = label.removeprefix("ORG")
    if digits == label or not digits.isdecimal() or not 3 <= len(digits) <= 6:
        return None
    found = CustomRule.objects.select_related("entered_by", "state_by").filter(number=int(digits)).first()
    return found if found is not None and found.label == label else None
