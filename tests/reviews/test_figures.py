"""The figures of a review: queue, list of reviews and sign-off say the same, and each leads to what it counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.reviews.actions import ask, assign, decide, defer
from portability.reviews.given import Given
from portability.reviews.models import Review
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PINNED, SERVING, decided, entry_of, register, revise, seen

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
FIGURE = re.compile(r'<a [^>]*?href="(/reviews/2026-Q4/\?[^"]*)"[^>]*>(\d+) ([^<]+)</a>')


@pytest.fixture
def under_way(cast: Cast, review: Review, chat: Workload) -> Review:
    """Of six: one decided, one asks again, two open, one left to the next review, one retired; two questions on one."""
    who, today = cast.architect, timezone.localdate()
    made = {name: register(cast.member, cast.search, name) for name in ("again", "left", "gone")}
    register(cast.outsider, cast.media, "other", **PINNED)
    asked = entry_of(review, register(cast.outsider, cast.media, "asked"))
    decided(who, entry_of(review, chat), today)
    decided(who, entry_of(review, made["again"]), today)
    revise(cast.member, made["again"], SERVING, **PINNED)
    left = entry_of(review, made["left"])
    defer(who, left.pk, left.version, "Registered last week.")
    retire(cast.member, made["gone"].pk, "replaced")
    ask(who, asked.pk, "Who runs it?")
    ask(who, asked.pk, "Since when?")
    assign(who, [asked.pk], who)
    return review


def figures(client: Client, address: str) -> dict[str, tuple[str, int]]:
    """What a page counts, by its words: the address behind it, and the number."""
    page = client.get(address).content.decode()
    shown = page.split('class="along"')[1].split("<h2 class")[0].split('id="together"')[0]
    return {words: (unescape(link), int(number)) for link, number, words in FIGURE.findall(shown)}


def opens_with(client: Client, query: str) -> None:
    """Let the queue open with a filter: no figure is of what that leaves."""
    said = {"name": "Mine", "query": query, "shared": "private", "default": "on"}
    assert client.post(reverse("saved_filters:new_of_queue"), said).status_code == 302


def listed(client: Client, address: str) -> int:
    """How many entries a queue lists."""
    found = re.search(r"page 1 of 1, (\d+) entr", client.get(address).content.decode())
    return int(found[1]) if found else 0


def test_every_page_says_the_same(cast: Cast, under_way: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    found = [figures(client, page) for page in ("/reviews/2026-Q4/", "/reviews/", "/reviews/2026-Q4/sign/")]
    told = {"1 of 4 decided": 1, "to decide": 3, "left to the next review": 1, "retired": 1}
    for page in found:
        numbers = {(f"{n} {words}" if " of " in f"{n} {words}" else words): n for words, (_, n) in page.items()}
        assert told.items() <= numbers.items()
    assert found[0]["decided"][1] == 1


@pytest.mark.parametrize("query", ["?filter=none", "?team=search", "?verdict=pinned", "?changed=any", "?assigned=me"])
def test_each_leads_to_what_it_counts(query: str, cast: Cast, under_way: Review, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    opens_with(client, "team=media")
    pages = ["/reviews/2026-Q4/" + query] + (["/reviews/", "/reviews/2026-Q4/sign/"] if query == "?filter=none" else [])
    for page in pages:
        counted = figures(client, page)
        assert len(counted) >= 3
        for words, (address, number) in counted.items():
            if words == "to decide by me" and query == "?assigned=me":
                continue  # chosen already, it leads back to everybody's
            assert listed(client, address) == number, (page, words)


def test_once_nothing_is_left_the_bar_is_full(cast: Cast, under_way: Review, client_of: ClientOf) -> None:
    today = timezone.localdate()
    for name in ("again", "other", "asked"):
        entry = entry_of(under_way, Workload.objects.get(name=name))
        decide(cast.architect, entry.pk, Given("agree"), seen(entry, today), today)
    page = client_of(cast.architect).get("/reviews/2026-Q4/").content.decode()
    assert '4 of 4 decided</a></b> <progress max="4" value="4"' in page
    assert "Nothing is left to decide." in page and "Go to the sign-off" in page
    assert {"decided", "left to the next review", "retired"} <= figures(
        client_of(cast.architect), "/reviews/2026-Q4/sign/"
    ).keys()
