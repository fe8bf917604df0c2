"""Switching off a rule that did more than it may: the work goes on without it, and what it said is judged again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.rules.custom.judging import AtFault
from portability.rules.custom.standing import by_label, engine_rule
from portability.rules.models import CustomRule

T = TypeVar("T")
_log = logging.getLogger(__name__)


def without_faulty_rules(judge: Callable[[], T]) -> T:
    """Judge. Where a custom rule is at fault it is switched off, and all is judged anew without it.

    `judge` must ask for the enabled rules each time it is called.
    """
    while True:
        try:
            return judge()
        except AtFault as fault:
            switch_off(fault)


@transaction.atomic
def switch_off(fault: AtFault) -> bool:
    """Switch a rule off because of a fault. False where another worker did, or it says something else by now."""
    from portability.rules.custom.rerun import judge_again, judged_now  # it imports what judges by custom rules

    before = judged_now()
    rule = CustomRule.objects.select_for_update().get(pk=_pk(fault))
    if rule.state != CustomRule.State.ENABLED or engine_rule(rule) != fault.rule:
        return False
    rule.state, rule.state_by, rule.state_at = CustomRule.State.OFF, None, timezone.now()
    rule.state_reason = f"{fault.why} (on {fault.workload})"[:400]
    rule.version += 1
    rule.save()
    who: Person | None = None
    record(who, "custom_rule.switched_off", rule, reason=rule.state_reason, workload=fault.workload)
    judge_again(who, before, rule, {rule.applies_to}, f"was switched off: {fault.why}")
    _log.warning("a custom rule was switched off", extra={"rule": rule.label, "why": fault.why})
    return True


def _pk(fault: AtFault) -> int:
    rule = by_label(fault.rule.id)
    assert rule is not None  # rules are never deleted
    return rule.pk
