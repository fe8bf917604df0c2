"""Verdicts and decisions in the words of the pages and of the report."""

from __future__ import annotations

from collections.abc import Sequence

from portability.engine.model import Vendor, Verdict
from portability.reviews.models import Decision
from portability.ui.templatetags import ui

VERDICTS = {
    Verdict.PINNED.value: "pinned",
    Verdict.NEEDS_CHANGE.value: "needs change",
    Verdict.MOVABLE.value: "movable",
    Verdict.NOT_ASSESSED.value: "not assessed",
}
DECISIONS = {kind.value: kind.label for kind in Decision.Kind}
EFFECTS = {"blocks": "blocks", "change": "to change", "confirm": "to confirm", "note": "note"}


def vendor(name: str) -> str:
    """On what a workload runs: `NVIDIA`, `another vendor`."""
    return ui.vendor(name) if name not in ("", Vendor.UNKNOWN) else "a vendor that is not known"


def decided_in_words(kind: str, number: int) -> str:
    """How many were decided so: `3 agreed`, `1 stays where it is`, `3 stay where they are`."""
    if kind == Decision.Kind.STAYS and number != 1:
        return f"{number} stay where they are"
    return f"{number} {DECISIONS.get(kind, kind)}"


def rules_in_words(found: Sequence[str], gone: Sequence[str]) -> str:
    """`changed: IMG001; gone: ENV001`: where a rule's findings came and went, they are about another value now."""
    told = {
        "changed": [rule for rule in found if rule in gone],
        "found": [rule for rule in found if rule not in gone],
        "gone": [rule for rule in gone if rule not in found],
    }
    return "; ".join(f"{what}: {', '.join(rules)}" for what, rules in told.items() if rules)


def was_and_is(before: str, now: str) -> str:
    """`was pinned, is movable`; `is pinned` where there was nothing before; `was pinned, still is`."""
    if not before:
        return f"is {VERDICTS.get(now, now)}, not decided before"
    if before == now:
        return f"was {VERDICTS.get(before, before)}, still is"
    return f"was {VERDICTS.get(before, before)}, is {VERDICTS.get(now, now)}"
