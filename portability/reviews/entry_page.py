"""One entry with all that is needed to decide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from portability.accounts.access import may_edit, may_read_manifests
from portability.accounts.models import Person
from portability.engine.model import Effect, Verdict
from portability.matrices.queries import knowledge, reading_pages
from portability.organisation.queries import organisation
from portability.register.models import Assessment, Row
from portability.reviews import findings
from portability.reviews.changes import Change, since
from portability.reviews.confirming import why_not
from portability.reviews.given import CONFIRM
from portability.reviews.models import Decision, Entry, Note, Review
from portability.reviews.standing import Line, entries, lines
from portability.reviews.waivers import Waived, waivers_of, with_waivers
from portability.workloads.findings import Shown, Texts, shown
from portability.workloads.models import ManifestFile


@dataclass(frozen=True, slots=True)
class Found:
    """A finding of the entry, ready to show. `mark` names it when it is waived; `waiver`: the one that holds."""

    mark: str
    shown: Shown
    waiver: Waived | None
    waivable: bool  # False: a note, waived already, or of a rule nobody may waive


@dataclass(frozen=True, slots=True)
class Other:
    """Another target beside the entry's: its name, the engine's verdict for it, and why."""

    target: str
    verdict: str
    why: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answers."""

    question: Note
    answers: list[Note]


@dataclass(frozen=True, slots=True)
class May:
    """What the person may do with the entry now; the actions decide for themselves."""

    decide: bool
    defer: bool
    assign: bool
    waive: bool
    note: bool
    ask: bool
    answer: bool


@dataclass(frozen=True, slots=True)
class EntryPage:
    """An entry with the engine's verdict, its reasons, and everything people said and decided of it."""

    line: Line
    row: Row | None  # of the register, that the entry stands on now; its assessment is loaded
    found: list[Found]  # worst first
    missing: Sequence[str]
    releases: Sequence[Mapping[str, str]]  # {source, version, read} as of which it is judged
    others: list[Other]
    changed_since: list[Change]  # while the review is open, after those of `line.changed`
    agreed: str  # the verdict that who agrees gets: the engine's with what is waived
    before: Decision | None  # the last review's
    cannot_confirm: str  # why not, in words; "" where the last decision can be confirmed as it is
    notes: list[Note]  # that are no questions and answers
    asked: list[Asked]
    waivers: list[Waived]
    history: list[Decision]  # of this entry, the newest first, those that were undone too
    may: May

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return self.line.entry

    @property
    def offers(self) -> frozenset[str]:
        """Of which acts the entry has a form now: kinds of decision, and defer, note, question."""
        may, assessed = self.may, self.line.engine_verdict != Verdict.NOT_ASSESSED
        kinds = {kind.value: may.decide and assessed == (kind != Decision.Kind.NOT_KNOWN) for kind in Decision.Kind}
        others = {"defer": may.defer, "note": may.note, "question": may.ask}
        offered = kinds | {CONFIRM: may.decide and not self.cannot_confirm} | others
        return frozenset(name for name, is_offered in offered.items() if is_offered)


def entry_page(person: Person, review: Review, entry_id: int, today: date) -> EntryPage | None:
    """An entry of a review for a person. None where the review has no such entry."""
    line = next(iter(lines(entries(review, today).filter(pk=entry_id))), None)
    if line is None:
        return None
    entry = line.entry
    entry.review = review
    row = Row.objects.filter(workload=entry.workload_id, target=entry.target_id).select_related("assessment").first()
    assessment = row.assessment if row else None
    waivers = waivers_of(entry.workload_id, entry.target_id, assessment, today)
    stands = assessment.verdict if assessment else line.engine_verdict
    basis = findings.basis(stands, *((assessment.findings, assessment.missing) if assessment else ([], [])))
    notes, asked = _talk(entry)
    history = list(Decision.objects.filter(entry=entry).select_related("carried"))
    return EntryPage(
        line=line,
        row=row,
        found=_found(person, entry, assessment, waivers),
        missing=assessment.missing if assessment else [],
        releases=assessment.releases if assessment else [],
        others=_others(entry),
        changed_since=_changed_since(entry, assessment),
        agreed=with_waivers(assessment, waivers),
        before=entry.before,
        cannot_confirm=why_not(entry, assessment, basis, waivers, today),
        notes=notes,
        asked=asked,
        waivers=waivers,
        history=history,
        may=may(person, entry),
    )


def may(person: Person, entry: Entry) -> May:
    """What a person may do with an entry. `entry.review` and `entry.workload.team` must be loaded."""
    is_open = entry.review.state == Review.State.OPEN
    decides = is_open and person.architect and entry.state != Entry.State.RETIRED
    member = is_open and may_edit(person, entry.workload.team)
    return May(
        decide=decides,
        defer=decides and entry.new and entry.state == Entry.State.OPEN,
        assign=decides,
        waive=person.architect and entry.target_id is not None,
        note=member or (is_open and person.architect),
        ask=is_open and person.architect,
        answer=member,
    )


def _found(person: Person, entry: Entry, assessment: Assessment | None, waivers: Sequence[Waived]) -> list[Found]:
    if assessment is None:
        return []
    texts = Texts()
    if may_read_manifests(person, entry.workload.team):
        files = ManifestFile.objects.filter(revision=assessment.revision_id)
        texts = Texts({f.name: f.text for f in files})
    holding = {w.mark: w for w in waivers if w.holds}
    unwaivable = frozenset(organisation().not_waivable)
    ready = shown(assessment.findings, texts, knowledge(), reading_pages())
    return [
        Found(
            mark=(mark := findings.mark(stored)),
            shown=one,
            waiver=holding.get(mark),
            waivable=_waivable(stored, unwaivable) and mark not in holding,
        )
        for stored, one in zip(assessment.findings, ready, strict=True)
    ]


def _waivable(finding: Mapping[str, Any], unwaivable: frozenset[str]) -> bool:
    return finding["effect"] != Effect.NOTE and finding["rule"] not in unwaivable


def _others(entry: Entry) -> list[Other]:
    rows = Row.objects.filter(workload=entry.workload_id, target__active=True).exclude(target=entry.target_id)
    return [Other(*found) for found in rows.order_by("target__name").values_list("target__name", "verdict", "why")]


def _changed_since(entry: Entry, assessment: Assessment | None) -> list[Change]:
    if assessment is None or entry.stood_id is None or entry.target_id is None:
        return []
    pair = (entry.workload_id, entry.target_id)
    return since({pair: (entry.stood_id, assessment.pk)}).get(pair, [])


def _talk(entry: Entry) -> tuple[list[Note], list[Asked]]:
    written = list(Note.objects.filter(entry=entry))
    answers: dict[int, list[Note]] = {}
    for note in written:
        if note.answers_id is not None:
            answers.setdefault(note.answers_id, []).append(note)
    asked = [Asked(note, answers.get(note.pk, [])) for note in written if note.kind == Note.Kind.QUESTION]
    return [note for note in written if note.kind == Note.Kind.NOTE], asked
