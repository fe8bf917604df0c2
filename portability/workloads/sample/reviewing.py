"""The sample's two reviews, opened, decided and signed by the people of its logins, through the acts of the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

import yaml
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.actions import Chosen, save_settings
from portability.organisation.models import DefaultTarget
from portability.organisation.queries import VENDORS, stored
from portability.register.models import Row
from portability.reviews import actions, findings, standing
from portability.reviews.given import Given
from portability.reviews.models import Entry, Review
from portability.workloads.sample import FOLDER
from portability.workloads.sample.clock import Calendar

ORGANISATION = "Made-up sample"
Act = Callable[[date], object]  # with the day on which it is done


@dataclass(frozen=True, slots=True)
class People:
    """Who acts in the sample's reviews. The member's team is asked."""

    architect: Person
    member: Person
    administrator: Person


def reviewed(people: People, calendar: Calendar) -> list[tuple[datetime, Act]]:
    """Both reviews, as acts with their moments."""
    data = yaml.safe_load((FOLDER / "reviews.yaml").read_text(encoding="utf-8"))
    last, present = data["last"], data["present"]
    who = people.architect
    waiver_ends = timezone.localdate(calendar.now) + timedelta(days=last["waiver"]["days"])

    return [
        (calendar.registered(), lambda today: _name_it(people.administrator)),
        (calendar.before_the_end(25), lambda today: actions.open_review(who, calendar.last, today)),
        (calendar.before_the_end(24), lambda today: _ask(who, last["question"])),
        (calendar.before_the_end(20), lambda today: _answer(people.member, last["question"])),
        (calendar.before_the_end(15), lambda today: _waive(who, last["waiver"], waiver_ends, today)),
        (calendar.before_the_end(14), partial(_decide_all, who, last["decisions"], calendar)),
        (calendar.before_the_end(4), lambda today: actions.close(who, _open().pk, last["statement"], today)),
        (calendar.before_the_end(2), lambda today: _add(who, calendar, last["addendum"])),
        (calendar.into_the_present(0), lambda today: actions.open_review(who, calendar.present, today)),
        (calendar.into_the_present(3), lambda today: actions.assign(who, _entries(present["assigned"]), who)),
        (calendar.into_the_present(5), lambda today: _ask(who, present["question"])),
        (calendar.into_the_present(6), lambda today: _note(who, present["note"])),
        (calendar.into_the_present(9), partial(_decide_all, who, present["decisions"], calendar)),
    ]


def _name_it(who: Person) -> None:
    """Every page and every report of the sample says that it is one."""
    now = stored()
    targets = dict(DefaultTarget.objects.values_list("vendor", "target__name"))
    chosen = Chosen(
        name=ORGANISATION,
        time_zone=now.time_zone,
        first_month=now.first_month,
        manifests_for_everyone=now.manifests_for_everyone,
        not_waivable=tuple(now.not_waivable),
        rehearsal_days=now.rehearsal_days,
        targets={vendor.value: targets.get(vendor, "") for vendor in VENDORS},
    )
    save_settings(who, now.version, chosen)


def _decide_all(who: Person, decisions: Sequence[Mapping[str, Any]], calendar: Calendar, today: date) -> None:
    for decision in decisions:
        _decide(who, decision, calendar, today)


def _decide(who: Person, decision: Mapping[str, Any], calendar: Calendar, today: date) -> None:
    """One decision, or the same of several workloads at once where it has a reason."""
    fields = {name: value for name, value in decision.items() if name not in ("workloads", "by_days")}
    given = Given(**fields)
    if given.plan_quarter:
        given = replace(given, plan_quarter=str(calendar.quarter(given.plan_quarter)))
    if "by_days" in decision:
        given = replace(given, by_day=today + timedelta(days=decision["by_days"]))
    found = standing.entries(_open(), today).filter(workload__name__in=decision["workloads"])
    seen = {line.entry.pk: actions.Seen(line.entry.version, line.assessment) for line in standing.lines(found)}
    if len(seen) > 1 and given.reason:
        actions.decide_many(who, seen, given, today)
        return
    for pk, as_seen in seen.items():
        actions.decide(who, pk, given, as_seen, today)


def _waive(who: Person, waiver: Mapping[str, Any], ends: date, today: date) -> None:
    [entry] = Entry.objects.filter(review=_open(), workload__name=waiver["workload"])
    row = Row.objects.select_related("assessment").get(workload=entry.workload_id, target=entry.target_id)
    finding = next(f for f in row.assessment.findings if f["rule"] == waiver["rule"])
    actions.waive(
        who,
        row.workload_id,
        row.target_id,
        findings.mark(finding),
        reason=waiver["reason"],
        link=waiver["link"],
        ends=ends,
        today=today,
    )


def _ask(who: Person, question: Mapping[str, str]) -> None:
    [entry] = _entries([question["workload"]])
    actions.ask(who, entry, question["text"])


def _answer(who: Person, question: Mapping[str, str]) -> None:
    [entry] = Entry.objects.filter(review=_open(), workload__name=question["workload"])
    actions.answer(who, entry.notes.get().pk, question["answer"])


def _note(who: Person, note: Mapping[str, str]) -> None:
    [entry] = _entries([note["workload"]])
    actions.write_note(who, entry, note["text"])


def _add(who: Person, calendar: Calendar, text: str) -> None:
    actions.add_addendum(who, Review.objects.get(quarter=str(calendar.last)).pk, text)


def _open() -> Review:
    return Review.objects.get(state=Review.State.OPEN)


def _entries(workloads: Sequence[str]) -> list[int]:
    return list(Entry.objects.filter(review=_open(), workload__name__in=workloads).values_list("pk", flat=True))
