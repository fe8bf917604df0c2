"""Fetching the page of a source: off by default, for curators, and through the same door as an upload."""

from __future__ import annotations

import gzip
import hashlib
import html
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import fetching
from portability.matrices.fetching import fetch_document
from portability.matrices.models import Release, Source
from portability.outbound.errors import Refused
from portability.outbound.guard import fetch
from portability.outbound.rules import Allowed, Limits
from tests.conftest import Cast
from tests.matrices.keeping import DAY, PAGE, ROCM
from tests.outbound.servers import PUBLIC, Answer, FakeNetwork, moved, said

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
HOST = "rocm.docs.amd.com"
URL = "/matrices/read/"
BUTTON = 'name="fetch"'
FIELDS = {"source": ROCM, "version": "", "read": DAY.isoformat(), "link": "", "text": "", "fetch": "1"}


@pytest.fixture
def off(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it comes: no host is named, and a socket would be an error."""

    def opened(*args: object, **options: object) -> None:
        raise AssertionError("a socket")

    settings.FETCH_HOSTS = Allowed("PORTABILITY_FETCH_HOSTS")
    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, opened)


def press(client: Client, **fields: str) -> Any:
    """Press the button that fetches."""
    return client.post(URL, FIELDS | fields, follow=True)


def page_of(source: str = ROCM) -> Source:
    """A source."""
    return Source.objects.get(pk=source)


def drafts() -> int:
    """How many drafts there are."""
    return Release.objects.filter(state=Release.State.DRAFT).count()


def test_the_page_comes_with_a_name_and_leaves_a_trace(cast: Cast, web: FakeNetwork) -> None:
    web.serve(HOST, lambda request: said("200 OK", PAGE))
    name, fetched = fetch_document(cast.curator, page_of())
    assert (name, fetched.content, fetched.redirected) == ("compatibility-matrix.html", PAGE, False)
    entry = Entry.objects.get(action="source.fetched")
    assert (entry.who, entry.subject) == (cast.curator, "ROCm compatibility matrix")
    assert entry.details == {
        "asked": page_of().url,
        "url": page_of().url,
        "bytes": len(PAGE),
        "digest": hashlib.sha256(PAGE).hexdigest(),
    }


def test_only_curators_and_administrators_fetch(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    web.serve(HOST, lambda request: said("200 OK", PAGE))
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            fetch_document(person, page_of())
        assert press(client_of(person)).status_code == 403
    assert (web.opened, drafts()) == ([], 0)
    fetch_document(cast.administrator, page_of())
    assert len(web.opened) == 1


@pytest.mark.usefixtures("off")
def test_it_is_off_as_it_comes_and_says_how_to_turn_it_on(cast: Cast, client_of: ClientOf) -> None:
    with pytest.raises(Refused, match="PORTABILITY_FETCH_HOSTS"):
        fetch_document(cast.curator, page_of())
    client = client_of(cast.curator)
    text = client.get(URL).content.decode()
    assert BUTTON not in text
    assert "PORTABILITY_FETCH_HOSTS" in text
    answer = press(client)
    assert answer.status_code == 422
    assert "Nothing was kept. Connections are off" in answer.content.decode()
    assert not Entry.objects.filter(action="source.fetched").exists()


def test_the_button_is_there_for_sources_on_allowed_hosts(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    for address, there in (
        ("", True),
        (f"?source={ROCM}", True),
        ("?source=gpu-operator-platforms", False),
        ("?source=%00", True),
    ):
        assert (BUTTON in client.get(URL + address).content.decode()) is there
    assert web.asked == []


def test_what_is_fetched_becomes_a_draft_of_today(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    web.serve(HOST, lambda request: said("200 OK", PAGE))
    answer = press(client_of(cast.curator))
    assert answer.status_code == 200
    draft = Release.objects.get(state=Release.State.DRAFT)
    assert (draft.version, draft.read, draft.read_by, draft.link) == ("9.9.0", timezone.localdate(), "curator", "")
    (document,) = draft.documents.all()
    assert (document.name, bytes(document.content)) == ("compatibility-matrix.html", PAGE)
    assert "It is a draft: nothing rests on it until it is published." in answer.content.decode()


def test_where_it_redirected_to_is_told_and_kept(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    def answer(request: str) -> Any:
        return said("200 OK", PAGE) if "GET /new " in request else moved("/new")

    web.serve(HOST, answer)
    text = press(client_of(cast.curator)).content.decode()
    assert f"{page_of().url} redirects to https://{HOST}/new." in text
    assert Release.objects.get(state=Release.State.DRAFT).link == f"https://{HOST}/new"


def test_another_address_is_fetched_where_one_is_given(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    server = web.serve(HOST, lambda request: said("200 OK", PAGE))
    press(client_of(cast.curator), link=f"https://{HOST}/9.9.0/matrix.html")
    assert server.requests[0].startswith("GET /9.9.0/matrix.html ")
    assert Release.objects.get(state=Release.State.DRAFT).link == f"https://{HOST}/9.9.0/matrix.html"


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("https://docs.example.com/", "docs.example.com is not allowed"),
        ("http://rocm.docs.amd.com/", "begins with https://"),
        ("https://rocm.docs.amd.com:22/", "rocm.docs.amd.com:22 is not allowed"),
        ("https://127.0.0.1/", "names no host by its full name"),
    ],
)
def test_no_other_host_is_fetched_from(
    cast: Cast, web: FakeNetwork, client_of: ClientOf, link: str, words: str
) -> None:
    answer = press(client_of(cast.curator), link=link)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert (web.asked, drafts()) == ([], 0)


def test_an_allowed_host_at_a_private_address_is_told(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    web.names[HOST] = [["10.0.0.7"]]
    answer = press(client_of(cast.curator))
    assert answer.status_code == 422
    assert "which is no public address" in answer.content.decode()
    assert (web.opened, drafts()) == ([], 0)


def bomb(request: str) -> Iterator[bytes]:
    """A small page that unpacks to 50 MB."""
    return said("200 OK", gzip.compress(b" " * 50_000_000), "Content-Encoding: gzip")


def endless(request: str) -> Iterator[bytes]:
    """A page without an end, as fast as it is taken."""
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    yield from repeat(b"<p>more</p>" * 10_000)


def dripping(request: str) -> Iterator[bytes]:
    """A page of which a byte comes now and then."""
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    for piece in repeat(b"a"):
        time.sleep(0.1)
        yield piece


HOSTILE: dict[str, tuple[Answer, str]] = {
    "a redirect to a private address": (lambda request: moved("https://docs.vllm.ai/inside"), "no public address"),
    "a redirect to an address": (lambda request: moved("https://169.254.169.254/latest/meta-data"), "169.254.169.254"),
    "an endless body": (endless, "longer than 5,000,000 bytes"),
    "a slow body": (dripping, "took longer than 1 seconds"),
    "a bomb": (bomb, "longer than 5,000,000 bytes"),
    "a wrong type": (lambda request: said("200 OK", PAGE, kind="application/pdf"), "application/pdf"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_server_is_told_and_leaves_nothing(
    cast: Cast, web: FakeNetwork, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    answer, words = HOSTILE[name]
    monkeypatch.setattr(fetching, "fetch", partial(fetch, limits=Limits(seconds=1 if answer is dripping else 10)))
    web.serve(HOST, answer)
    web.names["docs.vllm.ai"] = [["10.0.0.7"]]
    got = press(client_of(cast.curator))
    assert got.status_code == 422
    assert words in html.unescape(got.content.decode())
    assert set(web.opened) == {PUBLIC}, "nothing else was connected to"
    assert drafts() == 0 and not Entry.objects.filter(action="source.fetched").exists()


def test_a_name_that_leads_inside_the_second_time_is_held_to_the_first(
    cast: Cast, web: FakeNetwork, client_of: ClientOf
) -> None:
    web.serve(HOST, lambda request: said("200 OK", PAGE))
    web.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    assert press(client_of(cast.curator)).status_code == 200
    assert (web.asked, web.opened, drafts()) == ([HOST], [PUBLIC], 1)


def test_a_page_that_cannot_be_read_is_refused_like_an_upload(
    cast: Cast, web: FakeNetwork, client_of: ClientOf
) -> None:
    web.serve(HOST, lambda request: said("200 OK", b"<!doctype html><p>Nothing here.</p>"))
    answer = press(client_of(cast.curator))
    assert answer.status_code == 422
    assert "Nothing was kept." in answer.content.decode()
    assert drafts() == 0


def test_a_text_and_the_button_together_are_refused(cast: Cast, web: FakeNetwork, client_of: ClientOf) -> None:
    answer = press(client_of(cast.curator), text=PAGE.decode())
    assert answer.status_code == 422
    assert "not both" in answer.content.decode()
    assert (web.asked, drafts()) == ([], 0)


def test_an_address_too_long_to_keep_is_refused(cast: Cast, web: FakeNetwork) -> None:
    long = f"https://{HOST}/{'a' * 300}"
    web.serve(HOST, lambda request: said("200 OK", PAGE) if "aaa" in request else moved(long))
    with pytest.raises(Refused, match="more than 300 characters"):
        fetch_document(cast.curator, page_of())
