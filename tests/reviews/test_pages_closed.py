"""Sign-off, the closed review's page, its report and files: all from the record as it was stored."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.reviews.actions import add_addendum, close, open_review
from portability.reviews.models import Record, Review
from portability.reviews.record.canonical import canonical
from portability.reviews.report import report
from portability.reviews.report_file import file_pieces, report_html
from portability.reviews.templatetags.reviews import in_zone
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PLAIN, SERVING, TODAY, body, decided, entry_of, register, revise

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


@pytest.fixture
def closed(cast: Cast, review: Review, chat: Workload) -> Review:
    """The review of 2026-Q4, signed off with a plan in it."""
    plan = {"plan_quarter": "2027-Q1", "plan_owner": "platform", "plan_effort": "2 days", "reason": "<b>Soon</b>"}
    decided(cast.architect, entry_of(review, chat), TODAY, kind="plan", **plan)
    close(cast.architect, review.pk, "All was looked at.", TODAY)
    review.refresh_from_db()
    return review


def address(name: str, review: Review) -> str:
    return reverse(f"reviews:{name}", args=[review.quarter])


def test_what_is_left_is_said_before_anybody_signs(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    page = client.get(address("sign", review)).content.decode()
    assert "1 to decide</a>" in page and "Sign and close" not in page
    answer = client.post(address("sign", review), {"statement": "Everything."})
    assert answer.status_code == 422
    assert "It cannot be signed off yet: 1 entry is not decided." in answer.content.decode()
    assert "Everything." in answer.content.decode(), "what was typed is kept"
    assert not Record.objects.exists()


def test_signing_closes_and_leads_to_the_closed_review(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    decided(cast.architect, entry_of(review, chat))
    client = client_of(cast.architect)
    answer = client.post(address("sign", review), {"statement": "All was looked at."}, follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [(address("review", review), 302)]
    assert Record.objects.get().digest in page and "All was looked at." in page
    again = client.post(address("sign", review), {"statement": "All was looked at."})
    assert (again.status_code, Record.objects.count()) == (302, 1)


def test_an_open_page_of_a_closed_review_changes_nothing(cast: Cast, closed: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    entry = closed.entries.get()
    where = reverse("reviews:decide", args=[entry.pk, "agree"])
    answer = client.post(where, {"version": entry.version, "assessment": entry.ended_id}, follow=True)
    assert "is closed. Nothing was changed." in answer.content.decode()
    by_htmx = client.post(where, {"version": 1, "assessment": 1}, headers={"HX-Request": "true"})
    assert by_htmx.headers["HX-Redirect"] == address("review", closed)


def test_the_report_holds_cover_exposure_register_decisions_and_evidence(
    cast: Cast, closed: Review, client_of: ClientOf
) -> None:
    page = body(client_of(cast.viewer).get(address("report", closed))).decode()
    record = Record.objects.get()
    for words in (
        record.digest, record.csv_digest, "All was looked at.", "2026-Q4, 1 October 2026 to 31 December 2026",
        "by architect", "If supply of NVIDIA slipped a quarter, against mi300x-single", "1 of 1 workload, 2 of 2 GPUs",
        "agreed, with a plan", "by the end of 2027-Q1 (31 March 2027), platform, 2 days", "&lt;b&gt;Soon&lt;/b&gt;",
        "vllm/vllm-openai", "7 August 2026", "None was written.",
    ):  # fmt: skip
        assert words in page, words


def test_the_cover_names_the_addenda(cast: Cast, closed: Review, client_of: ClientOf) -> None:
    def cover() -> str:
        page = body(client_of(cast.viewer).get(address("report", closed))).decode()
        return page.partition('<section class="cover">')[2].partition("</section>")[0]

    assert "None was written before this report was made." in cover()
    first = add_addendum(cast.architect, closed.pk, "The owner was another.")
    assert "corrected once after it was signed" in cover()
    second = add_addendum(cast.architect, closed.pk, "And the <b>team</b>.")
    assert "corrected 2 times after it was signed" in cover()
    for addendum in (first, second):
        said = f"{in_zone(addendum.written_at, 'UTC')}, by architect. SHA-256 <code>{addendum.digest}</code>"
        assert f'<li value="{addendum.number}">{said}</li>' in cover()


def test_a_printed_page_says_at_its_foot_what_it_is_of(cast: Cast, closed: Review, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    footer = reverse("reviews:footer", args=[closed.quarter])
    assert f'href="{footer}" media="print"' in body(client.get(address("report", closed))).decode()
    answer = client.get(footer)
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    style = answer.content.decode()
    assert Record.objects.get().digest[:16] in style and "counter(page)" in style and "counter(pages)" in style
    assert style in report_html(report(Record.objects.get(), []))


def test_a_report_of_many_entries_is_sent_in_pieces_and_whole(cast: Cast, closed: Review) -> None:
    """A record of 1,200 entries, made of the one that there is: more than are rendered at once."""
    record = Record.objects.get()
    said = json.loads(record.text)
    [only] = said["entries"]
    said["entries"] = [
        {**only, "workload": {**only["workload"], "name": f"chat-{n}", "team": f"Team {n // 700}"}} for n in range(1200)
    ]
    large = Record(digest=record.digest, csv_digest=record.csv_digest, text=canonical(said))
    sent = list(file_pieces(report(large, [])))
    assert max(map(len, sent[1:])) < len("".join(sent)) / 10
    html = "".join(sent)
    assert re.findall(r'id="entry-(\d+)"', html) == [str(n) for n in range(1, 1201)]
    assert re.findall(r'href="#entry-(\d+)"', html) == [str(n) for n in range(1, 1201)]
    assert re.findall(r'<h3 class="team">(.*?)</h3>', html) == ["Team 0", "Team 1"]
    assert html.count('id="evidence-1"') == 1 and html.endswith("</html>\n")


def test_a_long_report_is_printed_in_parts(
    cast: Cast, closed: Review, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(cast.viewer)
    assert "Parts of the report" not in body(client.get(address("report", closed))).decode()
    monkeypatch.setattr("portability.reviews.report.PART", 2)
    record = Record.objects.get()
    said = json.loads(record.text)
    said["entries"] *= 5
    parts = report(Record(digest="0" * 64, csv_digest="", text=canonical(said)), []).parts()
    pages = ["".join(file_pieces(part)) for part in parts]
    assert [re.findall(r'id="entry-(\d+)"', page) for page in pages] == [["1", "2"], ["3", "4"], ["5"]]
    assert [re.findall(r'href="#entry-(\d+)"', page) for page in pages] == [["1", "2"], ["3", "4"], ["5"]]
    for number, page in enumerate(pages, start=1):
        assert f"Part {number} of 3: entries " in page and f"part {number} of 3" in page.partition("</style>")[0]
        assert "All was looked at." in page and 'id="evidence-1"' in page and "None was written." in page


def test_a_part_is_chosen_in_the_address(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = register(cast.member, cast.search, "other")
    for workload in (chat, other):
        decided(cast.architect, entry_of(review, workload))
    close(cast.architect, review.pk, "All was looked at.", TODAY)
    monkeypatch.setattr("portability.reviews.report.PART", 1)
    client = client_of(cast.viewer)
    second = body(client.get(f"{address('report', review)}?part=2")).decode()
    assert "2. other" in second and "1. chat" not in second
    [sheet] = re.findall(r'href="([^"]*footer.css[^"]*)"', second)
    assert "part 2 of 2" in client.get(sheet).content.decode()
    for none in ("", "3", "x"):
        whole = body(client.get(f"{address('report', review)}?part={none}")).decode()
        assert "2. other" in whole and "1. chat" in whole and 'href="?part=2"' in whole
    assert "part" not in client.get(f"{sheet}x}}").content.decode()


def test_the_report_says_the_same_whatever_happens_afterwards(
    cast: Cast, closed: Review, chat: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.viewer)
    before = report_html(report(Record.objects.get(), []))
    files = [body(client.get(address(name, closed))) for name in ("record", "csv")]
    revise(cast.member, chat, PLAIN)
    Workload.objects.filter(pk=chat.pk).update(name="renamed", criticality="low")
    type(cast.search).objects.filter(pk=cast.search.pk).update(name="Another team")
    Person.objects.filter(pk=cast.architect.pk).update(username="somebody-else", architect=False)
    assert report_html(report(Record.objects.get(), [])) == before
    assert [body(client.get(address(name, closed))) for name in ("record", "csv")] == files
    page = client.get(address("review", closed)).content.decode()
    assert "renamed" not in page and "Another team" not in page and "by architect" in page


@pytest.mark.parametrize(("name", "kind"), [("record", "application/json"), ("csv", "text/csv; charset=utf-8")])
def test_the_files_are_served_as_stored_with_their_digest(
    name: str, kind: str, cast: Cast, closed: Review, client_of: ClientOf
) -> None:
    client, record = client_of(cast.viewer), Record.objects.get()
    answer = client.get(address(name, closed))
    stored, digest = (
        (record.text.encode(), record.digest) if name == "record" else (bytes(record.csv), record.csv_digest)
    )
    assert body(answer) == stored and hashlib.sha256(stored).hexdigest() == digest
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["Content-Digest"] == f"sha-256=:{b64encode(hashlib.sha256(stored).digest()).decode()}:"
    assert "attachment" in answer.headers["Content-Disposition"]
    known = client.get(address(name, closed), headers={"If-None-Match": answer.headers["ETag"]})
    assert (known.status_code, body(known)) == (304, b"")


def test_a_record_is_what_its_published_schema_says(cast: Cast, closed: Review, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    assert reverse("reviews:schema") in client.get(address("review", closed)).content.decode()
    answer = client.get(reverse("reviews:schema"))
    assert answer.headers["Content-Type"] == "application/schema+json"
    jsonschema.validate(json.loads(body(client.get(address("record", closed)))), answer.json())


def test_the_register_of_a_closed_review_is_filtered(cast: Cast, closed: Review, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    where = address("review", closed)
    assert "1 needs change" in client.get(where).content.decode()
    assert ">chat<" in client.get(f"{where}?verdict=needs-change&team=Search").content.decode()
    for query in ("?verdict=pinned", "?team=Media", "?verdict=nonsense", "?team=%00Media"):
        assert "No entry matches." in client.get(where + query).content.decode()


def test_corrections_are_signed_addenda(cast: Cast, closed: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    where = reverse("reviews:addendum", args=[closed.quarter])
    text = Record.objects.get().text
    assert client.post(where, {"text": " "}).status_code == 422
    page = client.post(where, {"text": "The owner was another."}, follow=True).content.decode()
    assert "Addendum 1 is signed." in page and "The owner was another." in page
    added = closed.addenda.get()
    assert added.digest in body(client.get(address("report", closed))).decode()
    assert Record.objects.get().text == text
    assert "Add a correction" not in client_of(cast.viewer).get(address("review", closed)).content.decode()


def test_the_file_needs_no_other(cast: Cast, closed: Review) -> None:
    add_addendum(cast.architect, closed.pk, "A correction.")
    html = report_html(report(Record.objects.get(), closed.addenda.all()))
    assert "<link" not in html and "<script" not in html and "src=" not in html
    assert "@page" in html and "default-src 'none'" in html and "A correction." in html


def test_the_list_of_reviews_shows_digests_without_loading_records(
    cast: Cast, closed: Review, client_of: ClientOf
) -> None:
    page = client_of(cast.viewer).get("/reviews/").content.decode()
    assert Record.objects.get().digest in page and "No review is open." in page


@pytest.mark.parametrize("name", ["report", "record", "csv"])
def test_an_open_review_has_no_report_yet(name: str, cast: Cast, review: Review, client_of: ClientOf) -> None:
    assert client_of(cast.viewer).get(address(name, review)).status_code == 404
    assert client_of(cast.viewer).get(f"/reviews/1999-Q1/{'report/' if name == 'report' else ''}").status_code == 404


def test_the_report_tells_what_changed_since_the_last_review(cast: Cast, closed: Review, chat: Workload) -> None:
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    later = TODAY + timedelta(days=70)
    following = open_review(cast.architect, Quarter(2027, 1), later)
    decided(cast.architect, entry_of(following, chat), later)
    text = report_html(report(close(cast.architect, following.pk, "Reviewed.", later), []))
    assert "The manifests changed" in text and "; changed: IMG001" in text
