"""Template tags of the reviews room: verdicts, decisions and effects in words, addresses that keep the filters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from django import template
from django.template.defaultfilters import truncatechars
from django.utils.formats import date_format

from portability.organisation import zone
from portability.reviews import findings, words
from portability.reviews.beside_findings import BesideFindings
from portability.reviews.closed_filter import NO_TARGET, Wanted
from portability.reviews.filters import Chosen
from portability.reviews.models import Entry
from portability.reviews.report import Exposure, Uncounted
from portability.reviews.standing import Line
from portability.reviews.waivers import Standing, Waived, in_words
from portability.ui.templatetags.ui import days_in_full
from portability.workloads.findings import Shown

register = template.Library()
_KINDS = {**words.DECISIONS, "confirm": "the last decision confirmed", "defer": "left to the next review"}


@register.simple_tag
def address(chosen: Chosen, **changes: object) -> str:
    """The queue's query string with some values replaced."""
    return chosen.address(**changes)


@register.simple_tag
def verdict_words(verdict: str) -> str:
    """`needs change`."""
    return words.VERDICTS.get(verdict, verdict)


@register.simple_tag
def decision_words(kind: str) -> str:
    """`agreed, with a plan`; what is no kind of decision is said as it is."""
    return _KINDS.get(kind, kind)


@register.simple_tag
def decided_words(kind: str, number: int) -> str:
    """`3 stay where they are`."""
    return words.decided_in_words(kind, number)


@register.simple_tag
def line_parts(line: Line) -> list[tuple[str, str]]:
    """What a line of the queue says of its entry, part by part, each with how it is shown."""
    entry, decision = line.entry, line.entry.decision
    why = truncatechars(days_in_full(line.why), 90) if entry.target_id else "no default target"
    if line.causes:
        about = ("", ", ".join(line.causes))
    elif line.moved_from:
        about = ("", f"was {verdict_words(line.moved_from)} when it was opened")
    else:
        about = ("sub", why)
    stands = {Entry.State.DEFERRED: "left to the next review", Entry.State.RETIRED: "retired"}.get(
        Entry.State(entry.state), ""
    )
    if entry.state == Entry.State.DECIDED and decision:
        stands = f"{decision.get_kind_display()}, by {decision.made_by_name}"
    parts = [
        ("strong", "asks again" if line.asks_again else ""),
        ("strong", "new" if entry.new else ""),
        about,
        ("sub", f"for {entry.assigned}" if entry.assigned else ""),
        ("sub", stands),
    ]
    return [(shown, text) for shown, text in parts if text]


@register.simple_tag
def effect(value: str) -> str:
    """`to confirm`."""
    return words.EFFECTS.get(value, value)


@register.simple_tag
def was_and_is(before: str, now: str) -> str:
    """`was pinned, is movable`."""
    return words.was_and_is(before, now)


@register.simple_tag
def rules_in_words(found: Sequence[str], gone: Sequence[str]) -> str:
    """The rules of a change, by what became of their findings."""
    return words.rules_in_words(found, gone)


@register.simple_tag
def waived_words(waived: Waived) -> str:
    """What has become of a waiver, its day in full."""
    return waived.words


@register.simple_tag
def standing_words(standing: str, ends: str) -> str:
    """The same of what a record says of a waiver; `ends`: 2026-11-30."""
    return in_words(Standing(standing), date.fromisoformat(ends))


@register.simple_tag
def waiver_of(reviewed: BesideFindings, finding: Shown) -> Waived | None:
    """The waiver that holds for a finding."""
    return reviewed.waiver_of(finding)


@register.simple_tag
def waive_address(reviewed: BesideFindings, finding: Shown) -> str:
    """Where the person who reads the page may waive a finding; "" where not."""
    return reviewed.waive_address(finding)


@register.simple_tag
def verdict_class(verdict: str) -> str:
    """The class that gives a verdict its colour and sign."""
    return {"needs-change": "change", "not-assessed": "open"}.get(verdict, verdict)


@register.filter
def known_vendor(name: str) -> str:
    """A vendor in words, that of which nothing is known too."""
    return words.vendor(name)


@register.filter
def place(where: str) -> str:
    """A place in words: records of long ago have it with the escapes of a pointer."""
    return findings.in_words(where)


@register.filter
def in_zone(value: str | datetime, name: str) -> str:
    """A moment in the zone that a record names: `1 January 2027, 00:02, UTC+01:00`.

    In UTC, and said so, where it names none or one that is no longer known.
    """
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    if name in ("", "UTC") or zone.find(name) is None:
        return date_format(moment.astimezone(UTC), "j F Y, H:i") + " UTC"
    return zone.moment_in(name, moment)


@register.filter
def zone_words(name: str) -> str:
    """In which zone a report says its times."""
    if name in ("", "UTC"):
        return "in UTC"
    return f"in the organisation’s zone, {name}" if zone.find(name) else f"in UTC: {name} is no zone that is known here"


@register.simple_tag
def figure_address(figure: Exposure | Uncounted, exposure: str, by: str = "", name: str = "") -> str:
    """Where the page of a closed review shows what a figure counts; of a team or criticality (`by`) with that name."""
    of = {by: name} if by else {}
    return Wanted(vendor=figure.vendor, target=figure.target or NO_TARGET, exposure=exposure, **of).address
