"""What a risk register says of exposure is what the first page counts, and nothing else could move as it is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.exports.forms import ColumnForm, initial_columns
from portability.exports.mappings import shipped
from portability.exports.models import ColumnMapping
from portability.exposure.queries import exposure
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from portability.reviews.actions import open_review
from portability.reviews.models import Decided
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import Q4, TODAY, choose_target, decided, entry_of, register

pytestmark = pytest.mark.database
ClientOf = Callable[[Person | None], Client]
STATES = ("No way out today", "Stops until changed", "Not known, counted as exposed", "Could move as it is")
VENDORS = ("nvidia", "amd", "other", "none", "unknown", "")


def risks(client: Client, **asked: str) -> list[dict[str, str]]:
    """The rows of the ready-made risk register."""
    answer = client.get(reverse("exports:take", args=["csv"]), {"mapping": "risk-register", **asked})
    assert isinstance(answer, StreamingHttpResponse), answer.content
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"), newline="")))


@pytest.fixture
def target(cast: Cast) -> Target:
    """The default target of what runs on NVIDIA, with rows of 60 workloads that run on anything."""
    target = generate(60)
    DefaultTarget.objects.create(vendor="nvidia", target=target)
    for n, workload in enumerate(Workload.objects.order_by("pk")):
        workload.vendor_today = VENDORS[n // 4 % len(VENDORS)]
        workload.retired_at = datetime(2026, 10, 1, tzinfo=UTC) if n % 15 == 1 else None
        workload.save()
    for row in Row.objects.filter(verdict="pinned"):
        Decided.objects.create(
            workload_id=row.workload_id, target=target, assessment_id=row.assessment_id, verdict="movable"
        )
    return target


def test_every_row_says_what_it_runs_on_where_it_would_go_and_how_it_counts(target: Target, reader: Client) -> None:
    found = risks(reader, state="all")
    assert len(found) == 60 and {risk["Would go to"] for risk in found} == {"mi300x-single"}
    said: dict[str, set[str]] = {}
    for risk in found:
        if risk["Exposure"] != "Not counted, retired":
            said.setdefault(risk["Runs on"], set()).add(risk["Exposure"])
    assert said == {
        "NVIDIA": set(STATES),
        "AMD": {"Not moving, runs on the target’s vendor already"},
        "Another vendor": {"Not counted, what runs on its vendor would go elsewhere"},
        "No GPUs of a vendor": {"Not counted, runs on no vendor’s GPUs"},
        "Not known": {"Not counted, its vendor is not known"},
        "": {"Not counted, its vendor is not known"},
    }
    assert sum(risk["Exposure"] == "Not counted, retired" for risk in found) == 4


@pytest.mark.parametrize(("column", "by_people"), [("Exposure", False), ("Exposure as decided", True)])
def test_it_counts_as_the_first_page_does(target: Target, reader: Client, column: str, by_people: bool) -> None:
    page = exposure("nvidia", decided=by_people, today=timezone.localdate())
    counted = Counter(risk[column] for risk in risks(reader))
    assert [counted[words] for words in STATES] == [state.figure.workloads for state in page.states]
    assert page.states[3].figure.workloads > 0 and [*risks(reader)[0]].index("Exposure") < [*risks(reader)[0]].index(
        "Exposure as decided"
    )


def test_for_a_target_where_nothing_goes_by_default_nothing_could_move(target: Target, reader: Client) -> None:
    DefaultTarget.objects.all().delete()
    assert {risk["Exposure"] for risk in risks(reader, vendor="nvidia")} == {
        "Not counted, what runs on its vendor would go elsewhere"
    }


def test_a_review_of_before_it_moved_is_not_the_last_one(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    """What moved to the target's vendor is no longer reviewed against the target."""
    choose_target()
    chat = register(cast.member, cast.search, "chat")
    review = open_review(cast.architect, Q4, TODAY)
    decided(cast.architect, entry_of(review, chat), TODAY, kind="stays", reason="It stays.")
    client = client_of(cast.viewer)
    said = ("Decision", "Last reviewed", "Reviewed by")
    [risk] = risks(client, target="mi300x-single")
    assert risk["Decision"] == "Accepted, stays where it is" and risk["Last reviewed"] and risk["Reviewed by"]
    Workload.objects.filter(pk=chat.pk).update(vendor_today="amd")
    [risk] = risks(client, target="mi300x-single")
    assert risk["Exposure"] == "Not moving, runs on the target’s vendor already"
    assert [risk[name] for name in said] == ["", "", ""]


def test_an_edited_copy_of_before_stays_as_it_is(target: Target, reader: Client) -> None:
    before = [{"heading": "Exposure", "source": "verdict", "words": [["movable", "Could move as it is"]]}]
    ColumnMapping.objects.create(slug="ours", name="Ours", columns=before)
    answer = reader.get(reverse("exports:take", args=["csv"]), {"mapping": "ours"})
    assert isinstance(answer, StreamingHttpResponse)
    assert "Could move as it is" in answer.getvalue().decode()
    assert ColumnMapping.objects.get().columns == before


def test_what_ships_can_be_copied_and_saved() -> None:
    for mapping in shipped().values():
        for column in initial_columns(mapping):
            form = ColumnForm(column)
            assert form.is_valid(), form.errors
            assert form.column.words == next(c.words for c in mapping.columns if c.heading == column["heading"])


def offered(client: Client, **asked: str) -> list[tuple[str, str]]:
    """What the page offers instead: words and address."""
    page = client.get(reverse("exports:new"), {"format": "csv", "mapping": "risk-register", **asked}).content.decode()
    notice = re.search(r'<p class="notice">(.*?)</p>', page, re.DOTALL)
    links = re.findall('href="([^"]*)">([^<]*)', notice[1]) if notice else []
    return [(unescape(words), unescape(url)) for url, words in links]


def test_the_vendor_of_the_target_is_offered_to_whoever_has_not_filtered(target: Target, reader: Client) -> None:
    [(words, url)] = offered(reader, criticality="high")
    assert words == "what runs on NVIDIA, against mi300x-single"
    followed = reader.get(url)
    assert followed.context["order"].chosen.asked == {
        "target": "mi300x-single", "criticality": "high", "vendor": "nvidia",
    }  # fmt: skip
    assert followed.context["order"].mapping.slug == "risk-register" and followed.context["kind"] == "csv"
    assert followed.context["mixed"] is None
    assert "count for no exposure" in reader.get(reverse("exports:new"), {"mapping": "risk-register"}).content.decode()


def test_nothing_is_offered_where_nothing_is_mixed_or_every_column_is_taken(target: Target, reader: Client) -> None:
    assert offered(reader, vendor="nvidia") == offered(reader, mapping="") == offered(reader, vendor="unknown") == []
    Workload.objects.update(vendor_today="nvidia")
    Row.objects.update(vendor_today="nvidia")
    assert offered(reader) == []


def test_another_vendor_and_another_target_lead_to_the_default_one(target: Target, reader: Client) -> None:
    h100 = Target.objects.create(name="h100", vendor="nvidia", spec=target.spec)
    DefaultTarget.objects.create(vendor="amd", target=h100)
    assert [words for words, _ in offered(reader, vendor="amd")] == ["what runs on AMD, against h100"]
    DefaultTarget.objects.filter(vendor="nvidia").update(target=h100)
    assert [words for words, _ in offered(reader, target="mi300x-single")] == [
        "what runs on NVIDIA, against h100", "what runs on AMD, against h100",
    ]  # fmt: skip
