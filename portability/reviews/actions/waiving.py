"""Accepting a finding for a while, and taking that back."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.organisation.models import THE_ONE, Organisation
from portability.organisation.queries import stored
from portability.register.models import Assessment, Row
from portability.reviews import findings
from portability.reviews.actions.common import lock_workloads, require_architect
from portability.reviews.actions.settle import settle
from portability.reviews.errors import Clash, Conflict, Refused, Why
from portability.reviews.models import Waiver
from portability.reviews.texts import clean, clean_link

LONGEST = timedelta(days=731)  # two years


@transaction.atomic
def waive(
    who: Person, workload_id: int, target_id: int, mark: str, *, reason: str, link: str, ends: date | None, today: date
) -> Waiver:
    """Accept one finding of a workload for a target until a day, the last on which it holds.

    `mark`: the finding with its cause (`reviews.findings.mark`), as the page showed it. Raises PermissionDenied,
    Refused (with the field), Conflict where the finding is gone or its cause is another, Row.DoesNotExist.
    """
    require_architect(who, "waive findings")
    list(Organisation.objects.select_for_update().filter(pk=THE_ONE))  # nobody changes meanwhile what may be waived
    lock_workloads([workload_id])
    row = Row.objects.get(workload=workload_id, target=target_id)
    assessment = Assessment.objects.get(pk=row.assessment_id)
    name = row.workload.name
    finding = next((f for f in assessment.findings if findings.mark(f) == mark), None)
    if finding is None:
        raise Conflict([Clash(0, name, Why.VERDICT, f"The finding of {name} is gone, or about something else now.")])
    if finding["rule"] in stored().not_waivable:
        raise Refused(f"Findings of {finding['rule']} may not be waived here: the organisation settled that.")
    if finding not in findings.counting([finding]):
        raise Refused("It is a note: there is nothing to waive.")
    same = _live(row, mark, today)
    reason = clean(reason, 600, "reason", "Say why it is accepted.")
    link = clean_link(link, wanted="Give the address of where it was accepted: a ticket, a decision, a risk.")
    ends = _end(ends, today)
    if same is not None:
        if (same.given_by_id, same.reason, same.link, same.ends) == (who.pk, reason, link, ends):
            return same  # sent twice
        raise Refused(f"{same.given_by_name} waived it until {same.ends.isoformat()}. Withdraw that first.")
    waiver = Waiver.objects.create(
        workload_id=workload_id,
        target_id=target_id,
        identity=findings.key(finding),
        rule=finding["rule"],
        where=findings.where(finding)[:400],
        cause=findings.cause(finding),
        reason=reason,
        link=link,
        ends=ends,
        given_by=who,
        given_by_name=who.get_username(),
    )
    settle({(workload_id, target_id)}, today)
    told = {"rule": waiver.rule, "where": waiver.where, "reason": reason, "link": link}
    record(who, "waiver.given", waiver.workload, target=row.target.name, ends=ends.isoformat(), **told)
    return waiver


@transaction.atomic
def withdraw_waiver(who: Person, waiver_id: int, today: date) -> Waiver:
    """End a waiver before its day. Twice, it counts once. Raises PermissionDenied, Waiver.DoesNotExist."""
    require_architect(who, "withdraw waivers")
    waiver = Waiver.objects.get(pk=waiver_id)
    pair = (waiver.workload_id, waiver.target_id)
    lock_workloads([waiver.workload_id])
    waiver = Waiver.objects.select_for_update().get(pk=waiver_id)
    if waiver.withdrawn_at is None:
        waiver.withdrawn_at, waiver.withdrawn_by = timezone.now(), who
        waiver.save(update_fields=["withdrawn_at", "withdrawn_by"])
        settle({pair}, today)
        record(who, "waiver.withdrawn", waiver.workload, target=waiver.target.name, rule=waiver.rule)
    return waiver


def _live(row: Row, mark: str, today: date) -> Waiver | None:
    """A waiver of the same finding for the same cause that has not ended."""
    live = Waiver.objects.filter(workload=row.workload_id, target=row.target_id, withdrawn_at=None, ends__gte=today)
    return next((w for w in live if findings.waiver_mark(w.identity, w.cause) == mark), None)


def _end(ends: date | None, today: date) -> date:
    if ends is None:
        raise Refused("Say until which day it is accepted.", "ends")
    if ends <= today:
        raise Refused("Give a day after today.", "ends")
    if ends > today + LONGEST:
        raise Refused(
            f"Accept it for two years at most, until {(today + LONGEST).isoformat()}; then look again.", "ends"
        )
    return ends
