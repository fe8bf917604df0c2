"""Whether waivers that were given or ended since make something else of a decision, and which ones did.

One rule, wherever it is asked: `other` for the queue, `differs` for what is refused, `change` for what an entry says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from django.db.models import F, Q
from django.utils import timezone

from portability.reviews.changes import Change
from portability.reviews.models import Decision, Waiver
from portability.reviews.waivers import Standing, Waived

_GIVEN = "given"
_WORDS = {  # of one, and of several
    _GIVEN: ("a waiver was given", "{} waivers were given"),
    Standing.ENDED: ("a waiver ended", "{} waivers ended"),
    Standing.WITHDRAWN: ("a waiver was withdrawn", "{} waivers were withdrawn"),
    Standing.NOT_WAIVABLE: ("a waiver no longer counts", "{} waivers no longer count"),
    Standing.OTHER_CAUSE: (
        "a waiver does not count for what is found now",
        "{} waivers do not count for what is found now",
    ),
}
_ELSE = "waivers cover another part of what is found"


def differs(decision: Decision, with_waivers: str) -> bool:
    """Whether the decision, made once more on the same verdict of the engine, would not be the same.

    `with_waivers`: the engine's verdict now with what is waived now. Who agrees gets that, and not what it was then;
    a reviewer's own verdict says something only beside another.
    """
    own = decision.kind == Decision.Kind.OTHERWISE
    return (decision.verdict == with_waivers) == own


def other(name: str) -> Q:
    """The same of `standing.entries` in the database. `name`: of their decision, “before” or “decision”."""
    same = Q(with_waivers=F(f"{name}__verdict"))
    own = Q(**{f"{name}__kind": Decision.Kind.OTHERWISE})
    judged_alike = Q(**{f"{name}_for": F("is_for"), "engine_verdict": F(f"{name}__engine_verdict")})
    return Q(**{f"{name}__isnull": False}) & judged_alike & ((own & same) | (~own & ~same))


def change(decision: Decision, waivers: Iterable[Waived], with_waivers: str) -> Change | None:
    """What waivers changed since a decision, as the cause of a change; None where nothing differs by them.

    `waivers`: all that were ever given for the workload and target, as they stand now.
    """
    if not differs(decision, with_waivers):
        return None
    waivers = list(waivers)
    then = {w.mark: w for w in waivers if _counted(w.waiver, decision)}
    now = {w.mark: w for w in waivers if w.holds}
    came = [(_GIVEN, w) for mark, w in now.items() if mark not in then]
    went = [(w.standing, w) for mark, w in then.items() if mark not in now]
    days = {_day(what, w.waiver) for what, w in [*came, *went]}
    return Change(
        cause="waiver",
        words=_in_words([*came, *went]),
        day=days.pop() if len(days) == 1 else "",
        before=decision.verdict,
        after=with_waivers,
        found=[],
        gone=[],
    )


def _counted(waiver: Waiver, decision: Decision) -> bool:
    """Whether it was in force when the decision was made."""
    at = decision.made_at
    there = waiver.given_at <= at and (waiver.withdrawn_at is None or waiver.withdrawn_at > at)
    return there and waiver.ends >= timezone.localdate(at)


def _day(what: str, waiver: Waiver) -> str:
    """On which day that happened, in the organisation's zone; "" where nothing says."""
    days: dict[str, date | None] = {
        _GIVEN: timezone.localdate(waiver.given_at),
        Standing.ENDED: waiver.ends,
        Standing.WITHDRAWN: timezone.localdate(waiver.withdrawn_at) if waiver.withdrawn_at else None,
    }
    day = days.get(what)
    return day.isoformat() if day else ""


def _in_words(events: Sequence[tuple[str, Waived]]) -> str:
    """`a waiver was given (IMG001) and 2 waivers ended (ENV001, RES001)`."""
    told = []
    for what, (one, several) in _WORDS.items():
        rules = [w.waiver.rule for kind, w in events if kind == what]
        if rules:
            each = ", ".join(sorted(set(rules)))  # several findings of one rule have a waiver each
            told.append(f"{one if len(rules) == 1 else several.format(len(rules))} ({each})")
    return " and ".join(told) or _ELSE
