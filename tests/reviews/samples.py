"""What the walk of addresses asks the reviews room for: an open review with an entry, a closed one, a waiver."""

from __future__ import annotations

from datetime import date

from portability.accounts.models import Person
from portability.engine.model import Effect
from portability.organisation.dates import Quarter
from portability.register.models import Row
from portability.reviews import actions, findings
from portability.reviews.given import Given
from portability.reviews.models import Entry, Note, Review, Waiver
from tests.reviews.making import seen

Q3, Q4 = Quarter(2026, 3), Quarter(2026, 4)
IN_Q3, IN_Q4 = date(2026, 9, 15), date(2026, 11, 30)
FAR = date(2027, 6, 30)


def review_samples(workload: int) -> dict[tuple[str, str], object]:
    """A value for each parameter; made the first time, found afterwards. The workload was registered and judged."""
    architect = Person.objects.get(username="architect")
    if not Review.objects.exists():
        _make(architect)
    entry = Entry.objects.get(workload=workload, review__state=Review.State.OPEN)
    row = Row.objects.filter(workload=workload).order_by("verdict_order", "pk")[0]
    about = {f["about"]: f for f in row.assessment.findings if f["effect"] != Effect.NOTE or f["about"] == "target"}
    stored = about["workload"]
    waiver = Waiver.objects.filter(workload=workload).first() or actions.waive(
        architect,
        workload,
        row.target_id,
        findings.mark(stored),
        reason="The vendor mends it.",
        link="https://tickets.example/1",
        ends=FAR,
        today=IN_Q4,
    )
    question = Note.objects.filter(kind=Note.Kind.QUESTION).first() or actions.ask(architect, entry.pk, "Which vendor?")
    return {
        ("reviews", "pk"): entry.pk,
        ("reviews", "kind"): "agree",
        ("reviews", "quarter"): str(Q4),
        ("reviews", "closed"): str(Q3),
        ("reviews", "workload"): workload,
        ("reviews", "target"): row.target_id,
        ("reviews", "mark"): findings.mark(stored),
        ("reviews", "finding"): findings.mark(about["target"]),
        ("reviews", "waiver"): waiver.pk,
        ("reviews", "note"): question.pk,
    }


def _make(architect: Person) -> None:
    """A closed review, and the open one after it."""
    closed = actions.open_review(architect, Q3, IN_Q3)
    for entry in Entry.objects.filter(review=closed).select_related("review"):
        given = Given(kind="agree")
        if seen(entry, IN_Q3).assessment is None:
            given = Given(kind="not-known", finds_out="the team", by_day=FAR)
        actions.decide(architect, entry.pk, given, seen(entry, IN_Q3), IN_Q3)
    actions.close(architect, closed.pk, "All was looked at.", IN_Q3)
    actions.open_review(architect, Q4, IN_Q4)
