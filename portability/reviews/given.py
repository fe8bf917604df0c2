"""What a person decides, as a form gives it, and whether it makes sense for an entry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from portability.engine.model import Verdict
from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation
from portability.reviews.errors import Refused
from portability.reviews.models import Decision
from portability.reviews.texts import clean, clean_link

CONFIRM = "confirm"  # beside Decision.Kind: the last review's decision once more
OWN_VERDICTS = (Verdict.MOVABLE.value, Verdict.NEEDS_CHANGE.value, Verdict.PINNED.value)


@dataclass(frozen=True, slots=True)
class Given:
    """A decision as it is given. `kind`: of Decision.Kind, or CONFIRM. What a kind does not ask for is left out."""

    kind: str
    verdict: str = ""  # otherwise: one of OWN_VERDICTS
    reason: str = ""  # stays, otherwise: required
    evidence: str = ""  # otherwise: required
    link: str = ""  # to the evidence, or to the plan's ticket
    plan_quarter: str = ""  # plan: required, 2027-Q1
    plan_ends: date | None = None  # its last day, where the plan is one that was made before
    plan_owner: str = ""  # plan: required
    plan_effort: str = ""  # plan: required, in the person's words
    finds_out: str = ""  # not known: required
    by_day: date | None = None  # not known: required


def columns(given: Given, engine_verdict: str, with_waivers: str, quarter: Quarter) -> dict[str, Any]:
    """The columns of the decision, checked against how the entry stands. Raises Refused, naming the field.

    `engine_verdict`, `with_waivers`: the engine's verdict, and the same with what is waived; `quarter`: the one that
    the day lies in.
    """
    kind = given.kind
    if kind not in Decision.Kind.values:
        raise Refused("Choose what is decided.", "kind")
    assessed = engine_verdict != Verdict.NOT_ASSESSED
    if not assessed and kind != Decision.Kind.NOT_KNOWN:
        raise Refused("It is not assessed: decide “not known”, with who finds out and by when.", "kind")
    if assessed and kind == Decision.Kind.NOT_KNOWN:
        raise Refused("It is assessed: agree with the verdict, or decide otherwise.", "kind")
    found: dict[str, Any] = {"kind": kind, "verdict": with_waivers, "link": clean_link(given.link)}
    wanted = {
        Decision.Kind.STAYS: "Say why it stays where it is.",
        Decision.Kind.OTHERWISE: "Say why it is decided otherwise.",
    }.get(Decision.Kind(kind), "")
    found["reason"] = clean(given.reason, 2000, "reason", wanted)
    if kind == Decision.Kind.PLAN:
        found |= _plan(given, quarter)
    elif kind == Decision.Kind.OTHERWISE:
        found |= _otherwise(given, with_waivers)
    elif kind == Decision.Kind.NOT_KNOWN:
        found |= _not_known(given)
    return found


def _plan(given: Given, quarter: Quarter) -> dict[str, Any]:
    try:
        planned = Quarter.parse(given.plan_quarter)
    except ValueError as error:
        raise Refused(str(error), "plan_quarter") from None
    if given.plan_ends is None and planned < quarter:
        raise Refused(f"{planned} is over. Give the quarter in which it is to be done.", "plan_quarter")
    return {
        "plan_quarter": str(planned),
        "plan_ends": given.plan_ends or planned.ends(organisation().first_month),
        "plan_owner": clean(given.plan_owner, 120, "plan_owner", "Say who does it."),
        "plan_effort": clean(given.plan_effort, 60, "plan_effort", "Say how much work it is, such as “2 days”."),
    }


def _otherwise(given: Given, with_waivers: str) -> dict[str, Any]:
    if given.verdict not in OWN_VERDICTS:
        raise Refused("Choose the verdict: movable, needs change or pinned.", "verdict")
    if given.verdict == with_waivers:
        raise Refused("That is the verdict already: agree with it.", "verdict")
    evidence = clean(given.evidence, 2000, "evidence", "Say what shows it: a test, a vendor’s answer, a rehearsal.")
    return {"verdict": given.verdict, "evidence": evidence}


def _not_known(given: Given) -> dict[str, Any]:
    finds_out = clean(given.finds_out, 120, "finds_out", "Say who finds out.")
    if given.by_day is None:
        raise Refused("Say by which day.", "by_day")
    return {"finds_out": finds_out, "by_day": given.by_day}


def again(before: Decision) -> Given:
    """The last review's decision, to be given once more."""
    return Given(
        kind=before.kind,
        verdict=before.verdict,
        reason=before.reason,
        evidence=before.evidence,
        link=before.link,
        plan_quarter=before.plan_quarter,
        plan_ends=before.plan_ends,
        plan_owner=before.plan_owner,
        plan_effort=before.plan_effort,
        finds_out=before.finds_out,
        by_day=before.by_day,
    )
