"""Reading exposure: what of the register would stop if supply of a vendor slipped a quarter.

Counted are workloads that are not retired and run on the vendor today, each against the organisation's default target
for that vendor. The number of statements is the same whatever the number of workloads.
"""

from __future__ import annotations

from datetime import date

from django.db.models import Count

from portability.accounts.models import Team
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Verdict
from portability.engine.overdue import overdue_days
from portability.exposure.bars import CLASSES, STATES, WORDS, Bar, bar
from portability.exposure.counting import (
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
from portability.exposure.links import Links
from portability.exposure.quarters import closed_quarters
from portability.exposure.shapes import Apart, Choice, Exposure, Figure, Line, Period, State
from portability.matrices.queries import knowledge
from portability.organisation.dates import Quarter
from portability.organisation.queries import VENDORS, default_targets, organisation
from portability.register.counting import Reading, readings_in_words
from portability.register.queries import running
from portability.reviews.queries import open_one
from portability.reviews.queue import progress
from portability.targets.models import Target
from portability.workloads.models import Criticality

FIRST_VENDOR = VENDORS[0].value
NAMES = {"nvidia": "NVIDIA", "amd": "AMD", "other": "the other vendors’"}
_RUNS_ON = {"nvidia": "NVIDIA", "amd": "AMD", "other": "another vendor", "none": "no GPU of any vendor"}


def exposure(vendor: str, *, decided: bool, today: date) -> Exposure:
    """The exposure to one vendor on a day."""
    target = default_targets().get(vendor)
    engine = groups(target) if target else []
    by_vendor = _workloads_by_vendor(engine if target else None)
    choices = [
        Choice(v.value, NAMES[v.value], by_vendor.get(v.value, 0), v.value == vendor)
        for v in VENDORS
        if v != VENDORS[-1] or by_vendor.get(v.value) or v.value == vendor
    ]
    everything = sum(by_vendor.values())
    if target is None or not by_vendor.get(vendor):
        return Exposure(vendor, NAMES[vendor], choices, everything, target, decided)
    moves = moved(target, today) if decided else []
    links = Links(target.name, vendor, decided)
    every = [group for group in as_decided(engine, moves) if group.verdict]
    counted = [group for group in every if group.vendor == vendor]
    unjudged = amount(engine, lambda g: g.vendor == vendor and not g.verdict)
    waiting = never_judged(target, vendor)[:LISTED] if unjudged.workloads else []
    published = knowledge()
    review = open_one()
    now = _states(counted, unjudged, links)
    stopping = amount(counted, _stops)
    return Exposure(
        vendor=vendor,
        name=NAMES[vendor],
        choices=choices,
        registered=everything,
        target=target,
        decided=decided,
        exposed=Figure(stopping + unjudged, links.exposed()),
        whole=Figure(amount(counted) + unjudged, links.to()),
        states=now,
        unjudged=unjudged,
        unjudged_first=list(waiting),
        only_target=_figure(amount(counted, lambda g: g.only_target), links.because("target")),
        only_confirm=_figure(amount(counted, lambda g: g.only_confirm), links.because("confirm")),
        gpus_unknown=_figure(Amount(stopping.gpus_unknown), links.exposed(gpus="unknown")),
        replicas_unknown=_figure(Amount(stopping.replicas_unknown), links.exposed(replicas="unknown")),
        bars=_bars(now),
        first=first_to_stop(target, vendor, engine, moves, today),
        teams=_by_team(counted, links),
        criticalities=_by_criticality(counted, links),
        periods=_periods(vendor, now, links, today),
        apart=_apart(every, target, vendor, links),
        freeing=freeing(target, links),
        readings=_readings(target, vendor, published, today),
        sources_due=sum(overdue_days(published, r.source, r.read, today) > 0 for r in published.releases()),
        run=running(),
        review=review,
        progress=progress(review, today) if review else None,
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


def _states(counted: list[Group], unjudged: Amount, links: Links, **more: str) -> list[State]:
    """The four states. What was never judged is not known; the register has no row of it, so no address leads there."""
    found = []
    for state in STATES:
        of_state = amount(counted, lambda group, state=state: group.verdict == state)  # type: ignore[misc]
        total = of_state + unjudged if state is Verdict.NOT_ASSESSED else of_state
        url = links.to(state.value, **more) if of_state.workloads else ""
        found.append(State(WORDS[state], CLASSES[state], Figure(total, url)))
    return found


def _by_verdict(states: list[State]) -> dict[str, Amount]:
    """The amounts of the four states, which stand in their order."""
    return {verdict.value: state.figure.amount for verdict, state in zip(STATES, states, strict=True)}


def _bars(states: list[State]) -> list[tuple[str, Bar]]:
    """By workloads and by GPUs."""
    amounts = _by_verdict(states)
    workloads = {verdict: a.workloads for verdict, a in amounts.items()}
    gpus = {verdict: a.gpus for verdict, a in amounts.items()}
    return [
        ("workloads", bar(workloads, sum(workloads.values()), "workloads")),
        ("GPUs", bar(gpus, sum(gpus.values()), "GPUs")),
    ]


def _line(label: str, counted: list[Group], largest: int, links: Links, **more: str) -> Line:
    states = _states(counted, Amount(), links, **more)
    gpus = {verdict: a.gpus for verdict, a in _by_verdict(states).items()}
    return Line(
        label,
        _figure(amount(counted), links.to(**more)),
        _figure(amount(counted, _stops), links.exposed(**more)),
        states,
        bar(gpus, largest, "GPUs"),
    )


def _by_team(counted: list[Group], links: Links) -> list[Line]:
    """Teams with what would stop, those with most GPUs first."""
    by_team: dict[int, list[Group]] = {}
    for group in counted:
        by_team.setdefault(group.team, []).append(group)
    largest = max((amount(of_team).gpus for of_team in by_team.values()), default=0)
    teams = Team.objects.in_bulk(by_team)
    made = [_line(teams[pk].name, found, largest, links, team=teams[pk].slug) for pk, found in by_team.items()]
    return sorted(made, key=lambda line: (-line.exposed.amount.gpus, -line.exposed.workloads, line.label))


def _by_criticality(counted: list[Group], links: Links) -> list[Line]:
    """Criticalities, the worst first."""
    by_level = {level: [g for g in counted if g.criticality == level] for level in Criticality.values}
    largest = max(amount(found).gpus for found in by_level.values())
    return [_line(level, found, largest, links, criticality=level) for level, found in by_level.items() if found]


def _periods(vendor: str, states: list[State], links: Links, today: date) -> list[Period]:
    """The quarters whose reviews were closed, the oldest first, and now."""
    found = [(closed.quarter, closed.quarter, closed.amounts, False) for closed in closed_quarters(vendor)]
    quarter = str(Quarter.of(today, organisation().first_month))
    listed = [*found, (f"now ({quarter})", "", _by_verdict(states), True)]
    largest = max(sum(a.workloads for a in amounts.values()) for _, _, amounts, _ in listed)
    urls = {s.name: s.figure.url for s in states}
    periods = []
    for label, closed, amounts, is_now in listed:
        stops = sum((a for verdict, a in amounts.items() if verdict != Verdict.MOVABLE), Amount())
        shown = [
            (CLASSES[v], Figure(amounts.get(v.value, Amount()), urls[CLASSES[v]] if is_now else "")) for v in STATES
        ]
        numbers = {verdict: a.workloads for verdict, a in amounts.items()}
        exposed = Figure(stops, links.exposed() if is_now and stops.workloads else "")
        whole = sum(amounts.values(), Amount())
        periods.append(Period(label, shown, exposed, whole, bar(numbers, largest, "workloads"), closed))
    return periods


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
        found.append(Apart(words, Figure(said, links.to(vendor=other))))
    return found


def _readings(target: Target, vendor: str, published: Knowledge, today: date) -> list[Reading]:
    """The first and the last reading by name that counted rows rest on."""
    said = rows_of(target).filter(workload__vendor_today=vendor, as_of__gt="").values_list("as_of", flat=True)
    ends = {text for order in ("as_of", "-as_of") for text in said.order_by(order)[:1]}
    return readings_in_words(sorted(ends), published, today)
