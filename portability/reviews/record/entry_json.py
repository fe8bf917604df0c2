"""One entry as the record holds it. Everything it needs is loaded before, for many entries at once (`gathering`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from portability.register.models import Assessment
from portability.rehearsals.models import Rehearsal
from portability.reviews.changes import Change
from portability.reviews.models import Decision, Entry, Note
from portability.reviews.record.canonical import moment
from portability.reviews.record.people import People
from portability.reviews.standing import Line
from portability.reviews.waivers import Waived
from portability.workloads.findings import value_for_all


@dataclass(slots=True)
class Gathered:
    """An entry with all that the record says of it."""

    line: Line
    assessment: Assessment | None = None
    others: list[tuple[str, str, str]] = field(default_factory=list)  # target, verdict, why
    decisions: list[Decision] = field(default_factory=list)  # oldest first, those that were undone too
    waivers: list[Waived] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    rehearsals: list[Rehearsal] = field(default_factory=list)
    changed_since: list[Change] = field(default_factory=list)


def entry_json(g: Gathered, people: People, rehearsals_from: date) -> dict[str, Any]:
    """The entry in the form of data/record.schema.json. `rehearsals_from`: older ones are lapsed."""
    line, entry = g.line, g.line.entry
    return {
        "workload": _workload(entry),
        "target": {"name": entry.target.name, "vendor": entry.target.vendor} if entry.target else None,
        "state": entry.state,
        "new": entry.new,
        "deferred_reason": entry.deferred_reason,
        "assigned": people.named(entry.assigned),
        "joined_at": moment(entry.joined_at),
        "joined_with": entry.stood.verdict if entry.stood else None,
        "engine_verdict": line.engine_verdict,
        "decided_verdict": line.decided_verdict,
        "why": line.why,
        "engine": _engine(g.assessment),
        "decision": next((_decision(d, people) for d in g.decisions if d.pk == entry.decision_id), None),
        "decisions": [_decision(d, people) for d in g.decisions],
        "before": _before(entry.before, people),
        "changed": [change.to_json() for change in line.changed],
        "changed_since": [change.to_json() for change in g.changed_since],
        "waivers": [_waiver(w, people) for w in g.waivers],
        "notes": [_note(note, people) for note in g.notes],
        "others": [{"target": target, "verdict": verdict, "why": why} for target, verdict, why in g.others],
        "rehearsals": [_rehearsal(r, people, rehearsals_from) for r in g.rehearsals],
    }


def _workload(entry: Entry) -> dict[str, Any]:
    w = entry.workload
    return {
        "id": w.pk,
        "name": w.name,
        "team": w.team.name,
        "owner": w.owner,
        "criticality": w.criticality,
        "vendor_today": w.vendor_today,
        "engine": w.engine,
        "model": w.model,
        "gpus": w.gpus,
        "replicas": w.replicas,
        "retired_at": moment(w.retired_at),
        "retired_reason": w.retired_reason,
    }


def _engine(a: Assessment | None) -> dict[str, Any] | None:
    if a is None:
        return None
    return {
        "own_verdict": a.own_verdict,
        "assessed_at": moment(a.assessed_at),
        "cause": a.cause,
        "missing": a.missing,
        "platform_judged": a.platform_judged,
        "releases": a.releases,
        "rules": a.catalogue,
        "findings": [_finding(f) for f in a.findings],
    }


def _finding(stored: dict[str, Any]) -> dict[str, Any]:
    """As the command line's JSON. Whoever signs in reads records: values that are lines of manifests stay out."""
    return {**stored, "value": value_for_all(stored)}


def _decision(d: Decision, people: People) -> dict[str, Any]:
    people.note(d.made_by_id, d.undone_by_id)
    return {
        "kind": d.kind,
        "engine_verdict": d.engine_verdict,
        "verdict": d.verdict,
        "reason": d.reason,
        "evidence": d.evidence,
        "link": d.link,
        "plan_quarter": d.plan_quarter,
        "plan_ends": d.plan_ends.isoformat() if d.plan_ends else None,
        "plan_owner": d.plan_owner,
        "plan_effort": d.plan_effort,
        "finds_out": d.finds_out,
        "by_day": d.by_day.isoformat() if d.by_day else None,
        "bulk": str(d.bulk) if d.bulk else None,
        "confirmed": d.carried_id is not None,
        "basis": d.basis,
        "made_at": moment(d.made_at),
        "made_by": d.made_by_name,
        "undone_at": moment(d.undone_at),
        "undone_by": people.named(d.undone_by),
    }


def _before(d: Decision | None, people: People) -> dict[str, Any] | None:
    if d is None:
        return None
    return {
        **_decision(d, people),
        "quarter": d.entry.review.quarter,
        "target": d.target.name if d.target else None,
    }


def _waiver(w: Waived, people: People) -> dict[str, Any]:
    given = w.waiver
    people.note(given.given_by_id)
    return {
        "rule": given.rule,
        "where": w.where,
        "all_workloads": w.for_all,
        "effect": given.cause["effect"],
        "mark": w.mark,
        "reason": given.reason,
        "link": given.link,
        "ends": given.ends.isoformat(),
        "standing": w.standing.value,
        "given_at": moment(given.given_at),
        "given_by": given.given_by_name,
        "withdrawn_at": moment(given.withdrawn_at),
        "withdrawn_by": people.named(given.withdrawn_by),
    }


def _note(note: Note, people: People) -> dict[str, Any]:
    people.note(note.written_by_id)
    return {
        "id": note.pk,
        "kind": note.kind,
        "answers": note.answers_id,
        "text": note.text,
        "written_at": moment(note.written_at),
        "written_by": note.written_by_name,
    }


def _rehearsal(r: Rehearsal, people: People, counts_from: date) -> dict[str, Any]:
    people.note(r.recorded_by_id)
    return {
        "day": r.day.isoformat(),
        "outcome": r.outcome,
        "permanent": r.permanent,
        "lapsed": not r.permanent and r.day < counts_from,
        "traffic": r.traffic,
        "observed": r.observed,
        "link": r.link,
        "recorded_by": r.recorded_by_name,
    }
