"""The figures of a closed review: what of them is not known is said, parts add up, and each leads to what it counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html import unescape
from importlib import import_module

import jsonschema
import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.reviews import triggers
from portability.reviews.actions import close, open_review
from portability.reviews.models import Record
from portability.reviews.models import Summary as Stored
from portability.reviews.record.canonical import canonical
from portability.reviews.record.figures import Figures
from portability.reviews.record.making import schema
from portability.reviews.record.summary import Summary
from portability.reviews.report import exposure, report
from portability.reviews.report_file import report_html
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import (
    NOTHING,
    PINNED,
    Q4,
    SERVING,
    TODAY,
    body,
    choose_target,
    decided,
    entry_of,
    register,
    revise,
    standing,
)

pytestmark = pytest.mark.database
ClientOf = Callable[[Person | None], Client]
UNKNOWN = {"replicas_unknown", "gpus_unknown"}


@pytest.fixture
def record(cast: Cast, shipped: None) -> Record:
    """A signed review of workloads of two teams, in every state, of some of which numbers are not known."""
    choose_target()
    named = {name: register(cast.member, cast.search, name) for name in ("chat", "pinned", "moved", "gone")}
    revise(cast.member, named["pinned"], SERVING, **PINNED)
    named["unread"] = register(cast.member, cast.search, "unread", NOTHING, criticality="low")
    named["others"] = register(cast.outsider, cast.media, "others", criticality="critical")
    named["nobody"] = register(cast.outsider, cast.media, "nobody", vendor="none")
    named["elsewhere"] = register(cast.outsider, cast.media, "elsewhere", vendor="other")
    Workload.objects.filter(name="others").update(replicas=None, gpus=None)
    Workload.objects.filter(name="nobody").update(gpus=None)
    review = open_review(cast.architect, Q4, TODAY)
    retire(cast.member, named.pop("gone").pk, "replaced")
    Workload.objects.filter(name="moved").update(vendor_today="amd")
    not_known = {"kind": "not-known", "reason": "?", "finds_out": "Lena", "by_day": TODAY}
    for workload in named.values():
        entry = entry_of(review, workload)
        decided(cast.architect, entry, **(not_known if standing(entry).engine_verdict == "not-assessed" else {}))
    return close(cast.architect, review.pk, "Reviewed.", TODAY)


def text_of(html: str) -> str:
    """What is read of it, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split()).replace(" ,", ",")


def part(html: str, heading: str) -> str:
    """What is read of the part of a page with this heading."""
    return text_of(html.partition(f">{heading}</h2>")[2].partition("<h2")[0])


def test_the_record_says_of_how_many_workloads_a_number_is_not_known(record: Record) -> None:
    said = json.loads(record.text)
    jsonschema.validate(said, json.loads(schema()))
    figures = {(f["vendor"], f["group"]): f for f in said["figures"]}
    assert figures["nvidia", "until-changed"] == {
        "vendor": "nvidia", "target": "mi300x-single", "group": "until-changed", "workloads": 2,
        "replicas": 2, "replicas_unknown": 1, "gpus": 2, "gpus_unknown": 1,
    }  # fmt: skip
    assert (figures["none", "no-vendor"]["gpus"], figures["none", "no-vendor"]["gpus_unknown"]) == (0, 1)
    assert (figures["nvidia", "no-way-out"]["gpus_unknown"], figures["nvidia", "not-known"]["gpus_unknown"]) == (0, 1)


def test_report_and_page_say_at_least_and_of_how_many(cast: Cast, record: Record, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    pages = [body(client.get(reverse(f"reviews:{name}", args=["2026-Q4"]))).decode() for name in ("report", "review")]
    for html in (report_html(report(record, [])), *pages):
        said = part(html, "Exposure")
        assert "4 of 4 workloads, at least 4 of 4 GPUs would stop, not counting 2 whose GPUs are not known." in said
        assert "Until changed 2 at least 2 1 not known at least 2 1 not known" in said
        assert "No way out 1 2 2 " in said
        assert re.search(r"On no vendor’s GPUs 1 \d+ at least 0 1 not known", said)
        assert "critical 1 of 1 at least 0 of 0 1 not known at least 0 of 0 1 not known 0 1 0 0" in said
        assert "Search 3 of 3 at least 4 of 4 1 not known" in said and "Media 1 of 1 at least 0 of 0 1 not" in said
        assert said.index("critical 1 of 1") < said.index("high 2 of 2") < said.index("low 1 of 1")


def before(record: Record) -> str:
    """The record's text as it was made before figures said what is not known."""
    said = json.loads(record.text)
    said["figures"] = [{name: n for name, n in f.items() if name not in UNKNOWN} for f in said["figures"]]
    return canonical(said)


def test_of_a_record_of_before_it_is_counted_from_the_entries(record: Record) -> None:
    old = Record(digest=record.digest, csv_digest=record.csv_digest, text=before(record))
    jsonschema.validate(json.loads(old.text), json.loads(schema()))
    assert report_html(report(old, [])) == report_html(report(record, []))


def test_where_the_entries_do_not_add_up_to_what_was_signed_nothing_is_added(record: Record) -> None:
    said = json.loads(before(record))
    for figure in said["figures"]:
        figure["gpus"] += 1
    found = Summary.of(canonical(said)).said()
    assert found["figures"] == said["figures"]
    shown = exposure(found["figures"], found["parts"])
    assert shown and not any(e.parts or e.stops["gpus_unknown"] for e in shown)
    assert Figures().completed(said["figures"]) == said["figures"]


class Editor:
    """As much of a schema editor as the guards are made with."""

    connection = connection

    def execute(self, sql: str, params: Sequence[str] | None = ()) -> None:
        """Run it."""
        with connection.cursor() as cursor:
            cursor.execute(sql, params)


def test_summaries_of_before_are_made_anew_and_kept_again(record: Record) -> None:
    def stored() -> list[object]:
        return [list(Stored.objects.values("record", "said")), list(record.lines.values("number", "said"))]

    now = stored()
    triggers.drop(Editor(), triggers.SUMMED_UP)
    Stored.objects.update(said={})
    record.lines.update(said={})
    anew = import_module("portability.reviews.migrations.0014_summaries_with_unknown").anew
    anew(apps, Editor())
    assert stored() == now
    with pytest.raises(Exception, match="what was signed is not changed"):
        Stored.objects.update(said={})


def linked(html: str) -> list[tuple[str, int]]:
    """The figures of a page that lead to entries of a closed review: address, number."""
    found = re.findall(r'<a[^>]*href="((?:/reviews/[^"?]*)?\?[^"]*exposure=[^"]*)"[^>]*>(\d+)(?: not known)?</a>', html)
    return [(unescape(url), int(number)) for url, number in found]


def test_each_figure_leads_to_the_entries_that_it_counts(cast: Cast, record: Record, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    address = reverse("reviews:review", args=["2026-Q4"])
    page = client.get(address).content.decode()
    on_first_page = linked(client.get("/").content.decode())
    assert len(linked(page)) >= 40 and len(on_first_page) >= 8
    assert "exposure=" not in report_html(report(record, [])), "a file leads nowhere"
    for url, number in [*linked(page), *on_first_page]:
        shown = text_of(client.get(url if url.startswith("/") else address + url).content.decode())
        said = re.search(
            r"(\d+) of the review’s entries · (?:at least )?(\d+) replicas?.*? · (?:at least )?(\d+) GPU", shown
        )
        assert said and str(number) in said.groups(), (url, number)
        assert said[1] == str(
            len(re.findall(r" (?:chat|pinned|moved|unread|others|elsewhere|nobody) (?:Search|Me)", shown))
        )


def test_a_quarter_says_what_is_not_known_and_leads_to_it(cast: Cast, record: Record, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    page = client.get("/").content.decode().partition("<h2>By quarter</h2>")[2]
    line = page[page.index(">2026-Q4</a>") :].partition("</tr>")[0]
    assert "at least 4 of 4 GPUs 2 not known" in text_of(line)
    [address] = set(re.findall(r'href="(/reviews/2026-Q4/[^"]*unknown=gpus[^"]*)"', line))
    shown = text_of(client.get(unescape(address)).content.decode())
    assert "GPUs not known · 2 of the review’s entries" in shown


@pytest.mark.parametrize("query", ["exposure=x", "vendor=x", "unknown=x", "unknown=team", "criticality=x", "target=x"])
def test_what_is_asked_in_vain_finds_nothing(cast: Cast, record: Record, client_of: ClientOf, query: str) -> None:
    page = client_of(cast.viewer).get(f"{reverse('reviews:review', args=['2026-Q4'])}?{query}").content.decode()
    assert "No entry matches." in page


def test_another_team_is_chosen_within_what_a_figure_showed(cast: Cast, record: Record, client_of: ClientOf) -> None:
    asked = {"vendor": "nvidia", "target": "mi300x-single", "exposure": "would-stop", "team": "Media"}
    page = client_of(cast.viewer).get(reverse("reviews:review", args=["2026-Q4"]), asked).content.decode()
    form = page.partition('<form class="filters"')[2].partition("</form>")[0]
    for name in ("vendor", "target", "exposure"):
        assert f'<input type="hidden" name="{name}" value="{asked[name]}">' in form
    assert "<option selected>Media</option>" in form and ">others</a>" in page and ">chat</a>" not in page
