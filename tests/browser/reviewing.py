"""A register of forty workloads that is ready to be reviewed, with every verdict in it."""

from __future__ import annotations

from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.register.models import Assessment
from portability.reviews.actions import open_review
from portability.reviews.models import Entry, Review
from portability.reviews.standing import entries, lines
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import choose_target, decided, register, target

ENTRIES = 40
JUDGED = ("chat", "search-tier", "summaries", "translate")  # registered as people do; the others written as rows


def forty(cast: Cast) -> None:
    """Forty workloads of five teams; those of search need change. The shipped knowledge must be loaded."""
    choose_target()
    for name in JUDGED:
        register(cast.member, cast.search, name)
    generate(ENTRIES - len(JUDGED), target())
    _give_reasons()


def _give_reasons() -> None:
    """The rows that were only written get what their verdicts rest on, as decisions do."""
    real = Assessment.objects.filter(revision__workload__name="chat", target=target()).get()
    finding = real.findings[0]
    written = Assessment.objects.filter(revision__workload__name__startswith="workload-")
    for verdict, effect in (("pinned", "blocks"), ("needs-change", "change")):
        written.filter(verdict=verdict).update(findings=[{**finding, "effect": effect}])
    written.filter(verdict="not-assessed").update(missing=["values.yaml:14: the file is a Helm template"])


def opened(cast: Cast) -> Review:
    """The review of the present quarter over whatever is registered."""
    today = timezone.localdate()
    return open_review(cast.architect, Quarter.of(today), today)


def not_assessed(review: Review) -> int:
    """How many entries are not assessed."""
    return sum(line.engine_verdict == "not-assessed" for line in lines(entries(review, timezone.localdate())))


def second_architect() -> Person:
    """Another one who decides."""
    return Person.objects.create(username="second", architect=True)


def decide_as(person: Person, review: Review, workload: str, **given: object) -> None:
    """Decide an entry in another window."""
    entry = Entry.objects.select_related("review").get(review=review, workload__name=workload)
    decided(person, entry, timezone.localdate(), **given)
