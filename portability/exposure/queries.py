"""Reading exposure: what of the register would stop if supply of a vendor slipped a quarter.

Counted are workloads that are not retired and run on the vendor today, each against the organisation's default target
for that vendor. The number of statements is the same whatever the number of workloads.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.db.models import Count

from portability.accounts.models import Team
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Verdict
from portability.engine.overdue import overdue_days
from portability.exposure.bars import CLASSES, STATES, WORDS, Bar, bar
from portability.exposure.counting import (
    NOT_SAID,
    NOTHING,
    Amount,
    Group,
    active,
    amount,
    as_decided,
    groups,
    moved,
    never_judged,
    rows_of,
)
from portability.exposure.first import LISTED, first_to_stop
from portability.exposure.freeing import freeing
from portability.exposure.links import Figure, Links
from portability.exposure.quarters import Closed, closed_quarters
from portability.exposure.shapes import Apart, Choice, Exposure, Line, State
from portability.matrices.queries import knowledge
from portability.organisation.queries import VENDORS, default_targets
from portability.register.counting import Reading, readings_in_words
from portability.register.more_filters import EXPOSED
from portability.register.queries import running
from portability.reviews.quarters import name_of_quarter
from portability.reviews.queries import open_one
from portability.reviews.queue import progress
from portability.targets.models import Target
from portability.workloads.models import Criticality

FIRST_VENDOR = VENDORS[0].value
NAMES = {"nvidia": "NVIDIA", "amd": "AMD", "other": "the other vendors’"}  # supply
_ON = {"nvidia": "NVIDIA", "amd": "AMD", "other": "other vendors"}
_RUNS_ON = {"nvidia": "NVIDIA", "amd": "AMD", "other": "another vendor", "none": "no GPU of any vendor"}


def exposure(vendor: str, *, decided: bool, today: date, reader: int | None = None) -> Exposure:
    """The exposure to one vendor on a day. `reader`: of whom it is told how much of the open review waits for them."""
    target = default_targets().get(vendor)
    engine = groups(target) if target else []
    by_vendor = _workloads_by_vendor(engine if target else None)
    choices = [
        Choice(v.value, NAMES[v.value], by_vendor.get(v.value, 0), v.value == vendor)
        for v in VENDORS
        if v != VENDORS[-1] or by_vendor.get(v.value) or v.value == vendor
    ]
    everything = sum(by_vendor.values())
    review = open_one()
    done = progress(review, today, reader) if review else None
    if target is None or not by_vendor.get(vendor):
        of_nobody = sum(by_vendor.get(said, 0) for said in NOT_SAID)
        shown = Exposure(vendor, NAMES[vendor], _ON[vendor], choices, everything, target, decided, of_nobody)
        return replace(shown, review=review, progress=done)
    moves = moved(target, today) if decided else []
    links = Links(target.name, vendor, decided)
    every = [group for group in as_decided(engine, moves) if group.verdict]
    counted = [group for group in every if group.vendor == vendor]
    unjudged = amount(engine, lambda g: g.vendor == vendor and not g.verdict)
    waiting = never_judged(target, vendor)[:LISTED] if unjudged.workloads else []
    published = knowledge()
    now = _line("", counted, links, unjudged)
    return Exposure(
        vendor=vendor,
        name=NAMES[vendor],
        on=_ON[vendor],
        choices=choices,
        registered=everything,
        target=target,
        decided=decided,
        exposed=now.exposed,
        whole=now.whole,
        states=now.states,
        unjudged=unjudged,
        unjudged_first=list(waiting),
        only_target=_figure(amount(counted, lambda g: g.only_target), links.because("target")),
        only_confirm=_figure(amount(counted, lambda g: g.only_confirm), links.because("confirm")),
        bars=_bars(now),
        first=first_to_stop(target, vendor, engine, moves, today),
        teams=_by_team(counted, links),
        criticalities=_by_criticality(counted, links),
        periods=_periods(vendor, now, today),
        apart=_apart(every, target, vendor, links),
        freeing=freeing(target, links),
        readings=_readings(target, vendor, published, today),
        sources_due=sum(overdue_days(published, r.source, r.read, today) > 0 for r in published.releases()),
        run=running(),
        review=review,
        progress=done,
    )


def _workloads_by_vendor(engine: list[Group] | None) -> dict[str, int]:
    """How many workloads run on which vendor today, judged or not; asked for alone where there is no target."""
    if engine is None:
        found = list(active().values_list("vendor_today").annotate(Count("pk")))
    else:
        found = [(group.vendor, group.amount.workloads) for group in engine]
    counted: dict[str, int] = {}
    for vendor, n in found:
        counted[vendor] = counted.get(vendor, 0) + n
    return counted


def _stops(group: Group) -> bool:
    return group.verdict != Verdict.MOVABLE


def _figure(found: Amount, url: str) -> Figure:
    return Figure(found, url if found.workloads else "")


def _line(label: str, counted: list[Group], links: Links, unjudged: Amount = NOTHING, **more: str) -> Line:
    """A line without its bar. What was never judged is not known; the register has no row of it to lead to."""
    return Line(
        label,
        links.figure(amount(counted), unjudged=unjudged, **more),
        links.figure(amount(counted, _stops), EXPOSED, unjudged=unjudged, **more),
        [_state(state, counted, links, unjudged, **more) for state in STATES],
    )


def _state(state: Verdict, counted: list[Group], links: Links, unjudged: Amount, **more: str) -> State:
    found = amount(counted, lambda group: group.verdict == state)
    waiting = unjudged if state is Verdict.NOT_ASSESSED else NOTHING
    return State(WORDS[state], CLASSES[state], links.figure(found, state, unjudged=waiting, **more))


def _bars(now: Line) -> list[tuple[str, Bar]]:
    """By workloads and by GPUs, each over the whole width."""
    return [(what, _with_bars([now], what)[0].bar) for what in ("workloads", "GPUs")]


def _with_bars(lines: list[Line], what: str) -> list[Line]:
    """Lines with their bars, to one scale."""
    numbers = [_by_verdict(line.states, what) for line in lines]
    largest = max((sum(each.values()) for each in numbers), default=0)
    return [replace(line, bar=bar(each, largest, what)) for line, each in zip(lines, numbers, strict=True)]


def _by_verdict(states: list[State], what: str) -> dict[str, int]:
    """The workloads, or the GPUs, of the four states, which stand in their order."""
    amounts = {verdict.value: state.figure.amount for verdict, state in zip(STATES, states, strict=True)}
    return {verdict: a.gpus if what == "GPUs" else a.workloads for verdict, a in amounts.items()}


def _by_team(counted: list[Group], links: Links) -> list[Line]:
    """Teams with what would stop, those with most GPUs first."""
    by_team: dict[int, list[Group]] = {}
    for group in counted:
        by_team.setdefault(group.team, []).append(group)
    teams = Team.objects.in_bulk(by_team)
    made = [_line(teams[pk].name, found, links, team=teams[pk].slug) for pk, found in by_team.items()]
    made.sort(key=lambda line: (-line.exposed.amount.gpus, -line.exposed.workloads, line.label))
    return _with_bars(made, "GPUs")


def _by_criticality(counted: list[Group], links: Links) -> list[Line]:
    """Criticalities, the worst first."""
    by_level = {level: [g for g in counted if g.criticality == level] for level in Criticality.values}
    made = [_line(level, found, links, criticality=level) for level, found in by_level.items() if found]
    return _with_bars(made, "GPUs")


def _periods(vendor: str, now: Line, today: date) -> list[Line]:
    """The quarters whose reviews were closed, the oldest first, and now."""
    closed = [_as_signed(closed) for closed in closed_quarters(vendor)]
    return _with_bars([*closed, replace(now, label=f"now ({name_of_quarter(today)})")], "workloads")


def _as_signed(closed: Closed) -> Line:
    """A quarter as its record holds it."""
    states = [State(WORDS[state], CLASSES[state], closed.state(state)) for state in STATES]
    return Line(closed.quarter, closed.whole(), closed.exposed(), states, quarter=closed.quarter)


def _apart(every: list[Group], target: Target, vendor: str, links: Links) -> list[Apart]:
    """What is judged for the same target and not counted: it runs on the target's vendor, or on nobody knows whose."""
    found = []
    for other in sorted({g.vendor for g in every} - {vendor}, key=lambda v: (v != target.vendor, v)):
        said = amount(every, lambda group, other=other: group.vendor == other)  # type: ignore[misc]
        if other == "unknown":
            words = "whose vendor nobody declared and nothing shows"
        elif other == target.vendor:
            words = f"run on {_RUNS_ON[other]} already, the vendor of {target}"
        else:
            words = f"run on {_RUNS_ON[other]}"
        found.append(Apart(words, links.figure(said, vendor=other)))
    return found


def _readings(target: Target, vendor: str, published: Knowledge, today: date) -> list[Reading]:
    """The first and the last reading by name that counted rows rest on."""
    said = rows_of(target).filter(vendor_today=vendor, as_of__gt="").values_list("as_of", flat=True)
    ends = {text for order in ("as_of", "-as_of") for text in said.order_by(order)[:1]}
    return readings_in_words(sorted(ends), published, today)
