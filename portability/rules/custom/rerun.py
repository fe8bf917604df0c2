"""Judging again what a change of the custom rules touches."""

from __future__ import annotations

from collections.abc import Collection

from portability.accounts.models import Person
from portability.engine.custom_rules.rule import ANY
from portability.register import subjects
from portability.register.actions import current_revisions, let_stand, start_run
from portability.register.models import Run
from portability.register.queries import pairs_of_target
from portability.rules.locking import one_at_a_time
from portability.rules.models import CustomRule
from portability.rules.queries import judged_by
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target

CAUSE = "custom"


def judged_now() -> str:
    """The digest of all that judges, before a change; nobody else changes it until this transaction ends."""
    one_at_a_time()
    return judged_by()


def judge_again(
    who: Person | None, before: str, rule: CustomRule, applies_to: Collection[str], happened: str
) -> Run | None:
    """A run of every workload for the targets that a rule for these vendors says something of; the rest stands.

    `happened`: what became of the rule, in words that follow its name.
    Must be called in the transaction of the change, `before` being the digest from before it.
    """
    after = judged_by()
    if before == after:
        return None
    looked_at = current_revisions()
    pairs = [pair for target in touched_targets(applies_to) for pair in pairs_of_target(target)]
    let_stand(before, after, set(pairs), looked_at)
    about, subject = f"custom rule {rule} {happened}", subjects.rule(rule.label)
    return start_run(cause=CAUSE, about=about, pairs=pairs, who=who, subject=subject)


def touched_targets(applies_to: Collection[str]) -> list[Target]:
    """The active targets of these vendors, in the order in which they are offered."""
    return [t for t in active_targets() if ANY in applies_to or engine_target(t).vendor.value in applies_to]
