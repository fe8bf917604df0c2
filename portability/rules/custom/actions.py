"""Writing custom rules. Whatever changes an answer starts a re-evaluation in the same transaction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.engine.custom_rules.evaluation import compile_rule
from portability.engine.errors import InputError
from portability.refused import Refused
from portability.register.models import Run
from portability.rules.custom.rerun import judge_again, judged_now
from portability.rules.custom.standing import engine_rule
from portability.rules.models import CustomRule

MAX_ENABLED = 20  # each may take a second of every workload; an organisation has a few
_State = CustomRule.State


class Conflict(Exception):
    """Someone else changed the rule since the page was opened. `rule` is what it is now."""

    def __init__(self, rule: CustomRule) -> None:
        super().__init__(f"{rule} was changed by someone else in the meantime")
        self.rule = rule


@dataclass(frozen=True, slots=True)
class RuleValues:
    """What a rule says, checked by the form."""

    name: str
    path: str
    condition: str
    effect: str
    reason: str
    remedy: str = ""
    link: str = ""
    applies_to: str = "any"


@dataclass(frozen=True, slots=True)
class Saved:
    """The rule as it is now, and the run that judges again what it touches; None where nothing is."""

    rule: CustomRule
    run: Run | None


def add_rule(who: Person, values: RuleValues, *, enable: bool) -> Saved:
    """Write a new rule, as a draft or to judge by at once."""
    _require_writer(who)
    today, now = timezone.localdate(), timezone.now()
    try:
        with transaction.atomic():
            before = judged_now()
            _require_new(values)
            number = (CustomRule.objects.aggregate(last=Max("number"))["last"] or 0) + 1
            rule = CustomRule(
                number=number, entered=today, entered_by=who, state_by=who, state_at=now, **asdict(values)
            )
            _understood(rule)
            if enable:
                _enable(rule, who)
            rule.save()
            record(who, "custom_rule.added", rule, state=rule.state, **asdict(values))
            return Saved(rule, judge_again(who, before, rule, {rule.applies_to}, "was added"))
    except IntegrityError:
        raise Refused("Somebody wrote another rule at the same moment. Save once more.") from None


@transaction.atomic
def save_rule(who: Person, number: int, version: int, values: RuleValues, *, enable: bool) -> Saved:
    """Change a rule that still has this version, and enable it or leave it a draft. Saving the same changes nothing."""
    _require_writer(who)
    before = judged_now()
    rule = _take(number, version)
    new = asdict(values)
    changed = {name: [getattr(rule, name), value] for name, value in new.items() if getattr(rule, name) != value}
    state = _State.ENABLED if enable else _State.DRAFT
    if not changed and rule.state == state:
        return Saved(rule, None)
    touched = {rule.applies_to, values.applies_to}
    for name, value in new.items():
        setattr(rule, name, value)
    if changed:
        rule.entered, rule.entered_by = timezone.localdate(), who
    _understood(rule)
    if enable:
        _enable(rule, who)
    else:
        _state(rule, _State.DRAFT, who)
    rule.version += 1
    rule.save()
    record(who, "custom_rule.saved", rule, state=rule.state, **new)
    words = "was enabled" if enable and not changed else "was changed"
    return Saved(rule, judge_again(who, before, rule, touched, words))


@transaction.atomic
def switch_off_rule(who: Person, number: int, version: int, reason: str) -> Saved:
    """Judge by a rule no more, for a reason. It can be enabled again."""
    _require_writer(who)
    before = judged_now()
    rule = _take(number, version)
    if rule.state != _State.ENABLED:
        return Saved(rule, None)
    said = " ".join(reason.split())
    if not said:
        raise Refused("Say why the rule is switched off.", "reason")
    _state(rule, _State.OFF, who, said[:400])
    rule.version += 1
    rule.save()
    record(who, "custom_rule.switched_off", rule, reason=rule.state_reason)
    return Saved(rule, judge_again(who, before, rule, {rule.applies_to}, "was switched off"))


@transaction.atomic
def remove_rule(who: Person, number: int, version: int) -> Saved:
    """Take a rule out of the list. It stays readable, and its number means no other rule."""
    _require_writer(who)
    before = judged_now()
    rule = _take(number, version)
    _state(rule, _State.REMOVED, who)
    rule.version += 1
    rule.save()
    record(who, "custom_rule.removed", rule)
    return Saved(rule, judge_again(who, before, rule, {rule.applies_to}, "was removed"))


def may_write(person: Person) -> bool:
    """Whether the person writes, enables and removes custom rules."""
    return person.curator or person.administrator


def _require_writer(who: Person) -> None:
    if not may_write(who):
        raise PermissionDenied("Only curators and administrators write custom rules.")


def _take(number: int, version: int) -> CustomRule:
    """The rule, locked. Raises Conflict where it has another version, or was removed."""
    rule = CustomRule.objects.select_for_update().get(number=number)
    if rule.version != version or rule.state == _State.REMOVED:
        raise Conflict(rule)
    return rule


def _require_new(values: RuleValues) -> None:
    """Sent twice, from a page one went back to or by a double click, it would find everything twice."""
    same = CustomRule.objects.exclude(state=_State.REMOVED).filter(
        path=values.path, condition=values.condition, applies_to=values.applies_to
    )
    if found := same.first():
        raise Refused(f"{found}, {found.name}, asks exactly this already. Edit that one.", "condition")


def _understood(rule: CustomRule) -> None:
    try:
        compile_rule(engine_rule(rule))
    except InputError as error:
        raise Refused(error.message, error.file) from None


def _enable(rule: CustomRule, who: Person) -> None:
    enabled = CustomRule.objects.filter(state=_State.ENABLED).exclude(number=rule.number).count()
    if enabled >= MAX_ENABLED:
        raise Refused(
            f"{MAX_ENABLED} rules are enabled, and more would make every judgement slow. Switch one off first."
        )
    if rule.state != _State.ENABLED:
        _state(rule, _State.ENABLED, who)


def _state(rule: CustomRule, state: Any, who: Person, reason: str = "") -> None:
    rule.state, rule.state_by, rule.state_at, rule.state_reason = state, who, timezone.now(), reason


def note_export(who: Person, rules: int) -> None:
    """Put into the history that somebody took the enabled rules away as a file."""
    record(who, "custom_rule.exported", "the enabled rules", rules=rules)
