"""The sample's reviews: one that was closed last quarter and one that is under way, whenever the sample is loaded."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.http import StreamingHttpResponse
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry as AuditEntry
from portability.organisation.dates import Quarter
from portability.organisation.models import Organisation
from portability.organisation.queries import organisation
from portability.rehearsals.models import Rehearsal
from portability.reviews.comparison import compare
from portability.reviews.models import Addendum, Decision, Entry, Note, Review, Waiver
from portability.workloads.models import Workload
from portability.workloads.sample.clock import Calendar, at
from portability.workloads.sample.loading import load_sample
from portability.workloads.sample.reviewing import ORGANISATION, People
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
KINDS = {"agree", "plan", "stays", "otherwise", "not-known"}


@pytest.fixture(autouse=True)
def embedded(settings: LazySettings) -> None:
    """As where no DATABASE_URL is set, on whichever database the tests run."""
    settings.SERVED = False


def load(cast: Cast, now: datetime) -> tuple[Review, Review]:
    """Load the sample at a moment; its two reviews."""
    with at(now):
        load_sample(People(cast.architect, cast.outsider, cast.administrator))
    last, present = Review.objects.order_by("quarter")
    return last, present


@pytest.fixture
def reviews(cast: Cast, shipped: None) -> tuple[Review, Review]:
    """The sample as it is loaded today."""
    return load(cast, timezone.now())


@pytest.mark.parametrize(
    "now",
    [
        datetime(2026, 11, 30, 15, tzinfo=UTC),
        datetime(2027, 1, 1, 0, 1, tzinfo=UTC),  # the first moments of a quarter
        datetime(2028, 2, 29, 12, tzinfo=UTC),
        datetime(2029, 6, 30, 23, 59, tzinfo=UTC),
    ],
    ids=str,
)
def test_it_is_always_of_the_last_quarter_and_of_this_one(cast: Cast, shipped: None, now: datetime) -> None:
    last, present = load(cast, now)
    quarter = Quarter.of(now.date(), organisation().first_month)
    assert (last.quarter, last.state) == (str(quarter.previous), "closed")
    assert (present.quarter, present.state) == (str(quarter), "open")
    assert last.closed_at is not None
    assert last.starts <= last.opened_at.date() < last.closed_at.date() <= last.ends
    assert present.starts <= present.opened_at.date() and present.opened_at <= now
    assert all(waiver.ends > now.date() for waiver in Waiver.objects.all())
    plans = compare(last, None, now.date()).plans
    assert {p.decision.entry.workload.name: str(p.outcome) for p in plans} == {
        "nightly-scoring": "kept",
        "video-tagging": "missed",
        "chat-assistant": "open",
    }
    assert not AuditEntry.objects.filter(at__gt=now, who__isnull=False).exists(), "nothing was done later than now"


def test_the_last_one_holds_each_kind_of_decision_and_is_signed(cast: Cast, reviews: tuple[Review, Review]) -> None:
    last, _ = reviews
    decided = Decision.objects.filter(entry__review=last)
    assert set(decided.values_list("kind", flat=True)) == KINDS
    assert set(decided.values_list("made_by", flat=True)) == {cast.architect.pk}
    assert (last.opened_by, last.closed_by) == (cast.architect, cast.architect)
    assert last.statement.startswith("SAMPLE")
    assert Addendum.objects.get(review=last).text.startswith("SAMPLE")
    assert Waiver.objects.get().ends == timezone.localdate() + timedelta(days=45)
    assert Rehearsal.objects.filter(day__lte=last.ends).exists()
    questions = Note.objects.filter(entry__review=last)
    assert list(questions.values_list("kind", "written_by")) == [
        ("question", cast.architect.pk),
        ("answer", cast.outsider.pk),
    ]


def test_the_present_one_is_partly_decided_with_something_of_everything(
    cast: Cast, reviews: tuple[Review, Review]
) -> None:
    _, present = reviews
    entries = Entry.objects.filter(review=present)
    states = Counter(entries.values_list("state", flat=True))
    assert states["decided"] >= 5 and states["open"] >= 10
    changed = {e.workload.name for e in entries.select_related("workload") if e.changed}
    assert changed == {"chat-assistant", "policy-search", "nightly-scoring", "contract-extraction"}
    said = "runs on AMD by now; it was decided for mi300x-single, its target since it ran on NVIDIA"
    assert [c["words"] for c in entries.get(workload__name="nightly-scoring").changed] == [said]
    assert entries.filter(before=None).get().workload.name == "notebook-helper"
    assert entries.filter(assigned=cast.architect).count() == 3
    assert Decision.objects.filter(entry__review=present, carried__isnull=False).exists(), "confirmed from the last"
    question = Note.objects.get(entry__review=present, kind="question")
    assert question.entry.workload.team == cast.media and not question.answered_by.exists()


def test_a_newcomer_finds_something_on_every_page_of_reviews(
    cast: Cast, reviews: tuple[Review, Review], reader: Client
) -> None:
    last, present = reviews

    def page(path: str) -> str:
        answer = reader.get(path)
        assert answer.status_code == 200, path
        return (answer.getvalue() if isinstance(answer, StreamingHttpResponse) else answer.content).decode()

    assert ORGANISATION in page("/")
    assert last.quarter in page("/"), "the movement over the quarters"
    assert last.quarter in page("/reviews/")
    assert "chat-assistant" in page(f"/reviews/{present.quarter}/")
    assert "SAMPLE, made up" in page(f"/reviews/{last.quarter}/")
    assert "video-tagging" in page("/reviews/comparison/")
    assert "document-classes" in page("/reviews/waivers/")
    assert ORGANISATION in page(f"/reviews/{last.quarter}/report/"), "the cover says that it is a sample"


def test_without_people_it_holds_no_review(shipped: None) -> None:
    load_sample()
    assert not Review.objects.exists() and not Person.objects.exists()
    assert not Organisation.objects.filter(name=ORGANISATION).exists()
    assert Workload.objects.count() == 20


def test_the_clock_goes_on_afterwards() -> None:
    long_ago = datetime(2020, 1, 2, 3, tzinfo=UTC)
    with pytest.raises(ValueError, match="stop"), at(long_ago) as today:
        assert (today, timezone.now()) == (date(2020, 1, 2), long_ago)
        raise ValueError("stop")
    assert abs(timezone.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_days_are_those_of_the_organisation(cast: Cast, shipped: None) -> None:
    with timezone.override("Pacific/Auckland"):
        calendar = Calendar(datetime(2026, 12, 31, 12, tzinfo=UTC), 1)  # the next year has begun there
        assert (calendar.last, calendar.present) == (Quarter(2026, 4), Quarter(2027, 1))
        assert calendar.into_the_present(0) == datetime(2026, 12, 31, 12, tzinfo=UTC), "not after now"
        assert timezone.localtime(calendar.before_the_end(1)).hour == 9
