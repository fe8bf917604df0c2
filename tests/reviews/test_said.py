"""How a review’s pages put things: parts of a line apart, several counted as several, nothing that is not so."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from portability.accounts.models import Person
from portability.reviews.actions import assign, close
from portability.reviews.models import Note, Review
from portability.reviews.words import decided_in_words
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided, entry_of, register

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
STAYS = {"kind": "stays", "reason": "It goes with its hardware."}


def lines(client: Client, address: str) -> list[str]:
    """What the lines of a queue say, as people read it."""
    page = client.get(address).content.decode()
    said = re.findall(r'<span class="why">(.*?)</span>\s*</li>', page, re.S)
    return [" ".join(strip_tags(text).split()) for text in said]


def test_the_parts_of_a_line_are_kept_apart(cast: Cast, review: Review, chat: Workload, client_of: ClientOf) -> None:
    first = entry_of(review, register(cast.member, cast.search, "another"))
    entry = entry_of(review, chat)
    assign(cast.architect, [entry.pk], cast.architect)
    decided(cast.architect, entry, timezone.localdate(), **STAYS)
    address = f"{reverse('reviews:review', args=[review.quarter])}?state=all&at={first.pk}"
    [line] = lines(client_of(cast.architect), address)
    assert line.endswith(" · for architect · stays where it is, by architect")
    new = entry_of(review, register(cast.member, cast.search, "newer"))
    assign(cast.architect, [new.pk], cast.architect)
    [line] = lines(client_of(cast.architect), f"{address}&q=new")
    assert line.startswith("new · ") and line.endswith(" · for architect")


def test_several_stay_where_they_are(cast: Cast, review: Review, chat: Workload, client_of: ClientOf) -> None:
    assert decided_in_words("stays", 1) == "1 stays where it is"
    assert decided_in_words("plan", 2) == "2 agreed, with a plan"
    entries = [entry_of(review, chat), entry_of(review, register(cast.member, cast.search, "other"))]
    client, here = client_of(cast.architect), reverse("reviews:together", args=[review.quarter])
    sent = {"entry": [e.pk for e in entries], "step": "preview", "kind": "stays", "reason": "One vendor."}
    assert "2 stay where they are." in client.post(here, sent).content.decode()
    for entry in entries:
        decided(cast.architect, entry, TODAY, **STAYS)
    close(cast.architect, review.pk, "All was looked at.", TODAY)
    assert "2 stay where they are" in client.get(reverse("reviews:review", args=[review.quarter])).content.decode()
    report = client.get(reverse("reviews:report", args=[review.quarter])).getvalue().decode()
    assert "2 stay where they are" in report


def test_a_question_to_a_team_that_has_nobody_is_kept_and_that_is_said(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry, client = entry_of(review, chat), client_of(cast.architect)
    where = reverse("reviews:question", args=[entry.pk])
    assert "chat: Search is asked." in client.post(where, {"text": "Who runs it?"}, follow=True).content.decode()
    Person.objects.filter(teams=cast.search).update(is_active=False)
    page = client.post(where, {"text": "Since when?"}, follow=True).content.decode()
    assert "nobody of Search can answer it" in page and "is asked" not in page
    assert Note.objects.filter(kind="question").count() == 2


@pytest.mark.parametrize(
    ("vendor", "words"),
    [
        ("unknown", "On which vendor it runs is not known: nothing is judged."),
        ("none", "It is said to run on no vendor’s accelerators: nothing is judged."),
    ],
)
def test_where_the_vendor_is_not_known_its_team_is_said_to_say_it(
    vendor: str, words: str, cast: Cast, review: Review, client_of: ClientOf
) -> None:
    router = register(cast.member, cast.search, "router", vendor=vendor)
    here = f"/reviews/{review.quarter}/?at={entry_of(review, router).pk}"
    edit, workload = (reverse(f"workloads:{name}", args=[router.pk]) for name in ("edit", "workload"))
    for who, where in ((cast.architect, workload), (cast.member, edit)):
        page = client_of(who).get(here).content.decode()
        assert words in page and "An administrator chooses" not in page
        told = page.split(words)[1].split(" · ")[0]
        assert "Search says it" in told and f'href="{where}"' in told
        assert client_of(who).get(where).status_code == 200


def test_where_a_vendor_has_no_default_target_an_administrator_is_said_to_choose_it(
    cast: Cast, review: Review, client_of: ClientOf
) -> None:
    router = register(cast.member, cast.search, "router", vendor="other")
    page = client_of(cast.architect).get(f"/reviews/{review.quarter}/?at={entry_of(review, router).pk}")
    assert "is chosen for what runs on another vendor: nothing is judged. An administrator" in page.content.decode()


def test_before_it_is_opened_too(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    register(cast.member, cast.search, "on-other", vendor="other")
    page = client.get("/reviews/").content.decode()
    assert "An administrator chooses the default target of a vendor" in page and "its team" not in page
    register(cast.member, cast.search, "router", vendor="unknown")
    page = client.get("/reviews/").content.decode()
    assert "An administrator chooses the default target of a vendor" in page
    assert "Where the vendor is not known, the team says on which it runs." in page


def test_a_closed_review_says_why_where_there_was_no_target(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    router = register(cast.member, cast.search, "router", vendor="unknown")
    decided(cast.architect, entry_of(review, chat), TODAY)
    not_known = {"kind": "not-known", "finds_out": "the team", "by_day": TODAY}
    decided(cast.architect, entry_of(review, router), TODAY, **not_known)
    close(cast.architect, review.pk, "All was looked at.", TODAY)
    page = client_of(cast.viewer).get(reverse("reviews:review", args=[review.quarter])).content.decode()
    [row] = [row for row in page.split("<tr") if ">router<" in row]
    assert "No default target is chosen for what runs on a vendor that is not known." in row
