"""Accepting a finding for a while, and taking that back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.organisation.models import THE_ONE, Organisation
from portability.organisation.queries import stored
from portability.register.models import Assessment, Row
from portability.reviews import findings
from portability.reviews.actions.common import lock_workloads, require_architect, wait_for_opening
from portability.reviews.actions.settle import settle, settle_for_all
from portability.reviews.errors import Clash, Conflict, Refused, Why
from portability.reviews.models import Waiver
from portability.reviews.texts import clean, clean_link
from portability.targets.models import Target
from portability.targets.queries import stands_against
from portability.ui.templatetags.ui import dated

LONGEST = timedelta(days=731)  # two years


@transaction.atomic
def waive(
    who: Person, workload_id: int, target_id: int, mark: str, *, reason: str, link: str, ends: date | None, today: date
) -> Waiver:
    """Accept one finding of a workload for a target until a day, the last on which it holds.

    `mark`: the finding with its cause (`reviews.findings.mark`), as the page showed it. Raises PermissionDenied,
    Refused (with the field; of what is about the target, too), Conflict where the finding is gone or its cause is
    another, Row.DoesNotExist.
    """
    require_architect(who, "waive findings")
    _while_settings_stand()
    lock_workloads([workload_id])
    row = Row.objects.select_related("workload", "target").get(workload=workload_id, target=target_id)
    assessment = Assessment.objects.get(pk=row.assessment_id)
    finding = _found(assessment.findings, mark, row.workload.name)
    if findings.about_target(finding):
        raise Refused(f"It is about {row.target.name} itself: it is waived there, once for all workloads.")
    waiver = Waiver(workload=row.workload, target=row.target, **_given(who, finding, reason, link, ends, today))
    same = _live(waiver, today)
    if same is not None:
        return same
    waiver.save()
    settle({(workload_id, target_id)}, today)
    _record(who, waiver, row.workload, target=row.target.name)
    return waiver


@transaction.atomic
def waive_for_all(
    who: Person, target_id: int, mark: str, *, reason: str, link: str, ends: date | None, today: date
) -> Waiver:
    """Accept one finding about a target, for all workloads that are judged for it now or later, until a day.

    What it makes of their decided verdicts is worked out at once where they are few, by a worker where they are many.
    Raises as `waive` does, and Target.DoesNotExist.
    """
    require_architect(who, "waive findings")
    wait_for_opening(opening=True)
    _while_settings_stand()
    target = Target.objects.get(pk=target_id)
    finding = _found(stands_against(target), mark, target.name)
    waiver = Waiver(target=target, **_given(who, finding, reason, link, ends, today))
    same = _live(waiver, today)
    if same is not None:
        return same
    waiver.save()
    settle_for_all(target_id, today)
    _record(who, waiver, target, workloads="all")
    return waiver


@transaction.atomic
def withdraw_waiver(who: Person, waiver_id: int, today: date) -> Waiver:
    """End a waiver before its day. Twice, it counts once. Raises PermissionDenied, Waiver.DoesNotExist."""
    require_architect(who, "withdraw waivers")
    waiver = Waiver.objects.select_related("workload", "target").get(pk=waiver_id)
    if waiver.workload_id is None:
        wait_for_opening(opening=True)
    else:
        lock_workloads([waiver.workload_id])
    now = Waiver.objects.select_for_update().get(pk=waiver_id)
    if now.withdrawn_at is not None:
        return now
    waiver.withdrawn_at, waiver.withdrawn_by = timezone.now(), who
    waiver.save(update_fields=["withdrawn_at", "withdrawn_by"])
    if waiver.workload is None or waiver.workload_id is None:
        settle_for_all(waiver.target_id, today)
        record(who, "waiver.withdrawn", waiver.target, rule=waiver.rule, workloads="all")
    else:
        settle({(waiver.workload_id, waiver.target_id)}, today)
        record(who, "waiver.withdrawn", waiver.workload, target=waiver.target.name, rule=waiver.rule)
    return waiver


def _while_settings_stand() -> None:
    """Nobody changes meanwhile what may be waived."""
    list(Organisation.objects.select_for_update().filter(pk=THE_ONE))


def _found(found: Iterable[findings.Finding], mark: str, name: str) -> findings.Finding:
    """The finding that is to be waived, as it is now. Raises Conflict, and Refused where it may not be."""
    finding = next((f for f in found if findings.mark(f) == mark), None)
    if finding is None:
        raise Conflict([Clash(0, name, Why.VERDICT, f"The finding of {name} is gone, or about something else now.")])
    if finding["rule"] in stored().not_waivable:
        raise Refused(f"Findings of {finding['rule']} may not be waived here: the organisation settled that.")
    if finding not in findings.counting([finding]):
        raise Refused("It is a note: there is nothing to waive.")
    return finding


def _given(
    who: Person, finding: findings.Finding, reason: str, link: str, ends: date | None, today: date
) -> dict[str, Any]:
    """The columns of a waiver besides what it is for. Raises Refused, naming the field."""
    return {
        "identity": findings.key(finding),
        "rule": finding["rule"],
        "where": findings.where(finding)[:400],
        "cause": findings.cause(finding),
        "reason": clean(reason, 600, "reason", "Say why it is accepted."),
        "link": clean_link(link, wanted="Give the address of where it was accepted: a ticket, a decision, a risk."),
        "ends": _end(ends, today),
        "given_by": who,
        "given_by_name": who.get_username(),
    }


def _live(new: Waiver, today: date) -> Waiver | None:
    """The same waiver, where it was sent before. Raises Refused where another one of the finding has not ended."""
    mark = findings.waiver_mark(new.identity, new.cause)
    live = Waiver.objects.filter(workload=new.workload, target=new.target, withdrawn_at=None, ends__gte=today)
    same = next((w for w in live if findings.waiver_mark(w.identity, w.cause) == mark), None)
    if same is None:
        return None
    if (same.given_by_id, same.reason, same.link, same.ends) == (new.given_by_id, new.reason, new.link, new.ends):
        return same
    raise Refused(f"{same.given_by_name} waived it until {dated(same.ends)}. Withdraw that first.")


def _record(who: Person, waiver: Waiver, subject: object, **told: str) -> None:
    told |= {"rule": waiver.rule, "where": waiver.where, "reason": waiver.reason, "link": waiver.link}
    record(who, "waiver.given", subject, ends=waiver.ends.isoformat(), **told)


def _end(ends: date | None, today: date) -> date:
    if ends is None:
        raise Refused("Say until which day it is accepted.", "ends")
    if ends <= today:
        raise Refused("Give a day after today.", "ends")
    if ends > today + LONGEST:
        raise Refused(f"Accept it for two years at most, until {dated(today + LONGEST)}; then look again.", "ends")
    return ends
