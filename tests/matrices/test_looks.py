"""The daily look at sources: off by default, says what changed or moved, and never reads or publishes anything."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import actions, looks, tasks
from portability.matrices.models import Look, Release, Source
from portability.matrices.queries import lines
from portability.outbound.rules import Allowed
from tests.conftest import Cast
from tests.matrices.keeping import PAGE, ROCM, given, publish
from tests.outbound.servers import FakeNetwork, moved, said

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
HOST = "rocm.docs.amd.com"
OTHER = PAGE.replace(b"9.9.0", b"9.9.1")


class Site:
    """The host of the ROCm matrix; a test says what it answers."""

    def __init__(self, web: FakeNetwork) -> None:
        self.page = PAGE
        self.answer: Callable[[], Any] = lambda: said("200 OK", self.page)
        self.server = web.serve(HOST, lambda request: self.answer())


@pytest.fixture
def site(web: FakeNetwork) -> Site:
    """The host, which serves the page."""
    return Site(web)


def seen(days: int = 1) -> Look:
    """Look at the ROCm matrix, a day after it was last looked at."""
    Look.objects.update(looked_at=timezone.now() - timedelta(days=days))
    found = looks.look(ROCM)
    assert found is not None
    return found


def read(cast: Cast, content: bytes = PAGE, **more: Any) -> Release:
    """A reading of the page that is published, today."""
    return publish(
        cast.curator, actions.read_draft(cast.curator, given(content, read=timezone.localdate(), **more))
    ).release


def state() -> list[tuple[Any, ...]]:
    """What is read and published."""
    return list(Release.objects.order_by("pk").values_list("pk", "state", "digest"))


def test_the_page_that_was_read_is_unchanged(cast: Cast, site: Site) -> None:
    reading = read(cast)
    found = seen()
    assert (found.found, found.reading, found.digest_at) == ("unchanged", reading, None)
    assert found.said == "Its text is that of the page that was read."


def test_another_text_is_changed_since_read_and_nothing_is_published(cast: Cast, site: Site) -> None:
    read(cast)
    before = state()
    site.page = OTHER
    found = seen()
    assert (found.found, found.get_found_display()) == ("changed", "changed since read")
    assert state() == before


def test_another_markup_or_frame_is_no_change(cast: Cast, site: Site) -> None:
    read(cast)
    site.page = PAGE.replace(b"<table", b"<nav>Menu</nav><script>built(2)</script><table class='new'")
    assert site.page != PAGE
    assert seen().found == "unchanged"


@pytest.mark.parametrize("link", ["", "https://docs.example.com/other"])
def test_a_reading_that_kept_no_page_is_compared_with_the_first_look_after_it(
    cast: Cast, site: Site, link: str
) -> None:
    """The shipped readings keep none; a reading of another address kept another page."""
    if link:
        read(cast, link=link)
    first = seen()
    assert first.found == "unchanged"
    assert first.digest_at is not None
    assert "since the reading kept none" in first.said
    site.page = OTHER
    assert seen().found == "changed"
    site.page = PAGE
    assert seen().found == "unchanged"


def test_a_newer_reading_without_its_page_is_compared_with_the_first_look_after_it(cast: Cast, site: Site) -> None:
    seen()
    site.page = OTHER
    assert seen().found == "changed"
    newer = read(cast, OTHER, link="https://docs.example.com/other")
    found = seen()
    assert (found.found, found.reading) == ("unchanged", newer)


def test_a_newer_reading_answers_a_change(cast: Cast, site: Site, reader: Client) -> None:
    site.page = PAGE
    seen()
    site.page = OTHER
    assert seen().found == "changed"
    page = reverse("matrices:source", args=[ROCM])
    assert "changed since read" in reader.get(page).content.decode()
    read(cast, OTHER)
    assert "changed since read" not in reader.get(page).content.decode()
    assert seen().found == "unchanged"


@pytest.mark.parametrize("status", ["301 Moved", "302 Found"])
def test_a_redirect_says_that_the_page_moved(site: Site, status: str) -> None:
    url = Source.objects.get(pk=ROCM).url
    site.server._answer = lambda request: said("200 OK", PAGE) if "GET /new " in request else moved("/new", status)
    found = seen()
    assert (found.found, found.said) == ("moved", f"It redirects to https://{HOST}/new.")
    assert url not in found.said


@pytest.mark.parametrize("to", ["https://elsewhere.example.com/page", "http://rocm.docs.amd.com/page"])
def test_a_redirect_to_where_nothing_may_be_fetched_says_so_too(site: Site, web: FakeNetwork, to: str) -> None:
    site.answer = lambda: moved(to)
    found = seen()
    assert (found.found, found.said) == ("moved", f"It redirects to {to}, which may not be fetched.")
    assert web.asked == [HOST]


def test_a_notice_on_the_page_says_that_it_moved(site: Site) -> None:
    site.page = PAGE.replace(b"<table", b"<p>This page has moved to the release notes.</p><table", 1)
    found = seen()
    assert (found.found, found.said) == ("moved", "It says: “This page has moved to the release notes”.")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda: said("404 Not Found"), "answers 404"),
        (lambda: said("200 OK", b"\xff\xfe"), "is not text in UTF-8"),
        (lambda: said("200 OK", b"%PDF", kind="application/pdf"), "only texts are read"),
        (lambda: iter([b"nothing"]), "does not answer in HTTP"),
    ],
)
def test_a_page_that_cannot_be_looked_at_is_told_and_what_it_is_compared_with_stays(
    site: Site, answer: Callable[[], Any], words: str
) -> None:
    digest = seen().digest
    site.answer = answer
    found = seen()
    assert (found.found, found.digest) == ("failed", digest)
    assert words in found.said


def test_how_long_it_stands_is_kept_and_the_trail_names_only_news(site: Site) -> None:
    seen()
    site.page = OTHER
    first = seen()
    again = seen()
    assert (again.found, again.since) == ("changed", first.since)
    assert again.looked_at > first.looked_at
    entries = Entry.objects.filter(action="source.looked-at").order_by("pk")
    assert [(e.who, e.who_name, e.details["found"]) for e in entries] == [
        (None, "system", "unchanged"),
        (None, "system", "changed"),
    ]


def test_a_source_is_looked_at_once_a_day(site: Site) -> None:
    assert looks.look(ROCM) is not None
    assert looks.look(ROCM) is None
    assert len(site.server.requests) == 1
    assert ROCM not in looks.due(timezone.now())
    assert ROCM in looks.due(timezone.now() + timedelta(hours=24))


def test_only_current_sources_on_allowed_hosts_are_looked_at(site: Site) -> None:
    due = looks.due(timezone.now())
    assert {ROCM, "vllm-features"} <= set(due)
    for not_due in (
        "gpu-operator-platforms",
        "rocm-release-dates",
        "user-kernel-space-matrix",
        "rocm-on-radeon",
        "none",
    ):
        assert not_due not in due
        assert looks.look(not_due) is None
    assert site.server.requests == []


def test_it_is_off_as_it_comes(settings: Settings, monkeypatch: pytest.MonkeyPatch, reader: Client) -> None:
    def opened(*args: object, **options: object) -> None:
        raise AssertionError("a socket")

    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, opened)
    settings.FETCH_HOSTS, settings.CHECK_SOURCES = Allowed("PORTABILITY_FETCH_HOSTS"), False
    assert looks.due(timezone.now()) == []
    assert looks.look(ROCM) is None
    tasks.check_sources()
    assert not Look.objects.exists()
    assert "PORTABILITY_CHECK_SOURCES=1" in reader.get(reverse("matrices:source", args=[ROCM])).content.decode()


def test_the_scheduled_task_gives_each_source_a_task_of_its_own(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(tasks.check_source, "apply_async", lambda args, **options: asked.extend(args))
    tasks.check_sources()
    assert sorted(asked) == sorted(looks.due(timezone.now()))
    assert site.server.requests == []
    tasks.check_source(ROCM)
    assert Look.objects.get().source_id == ROCM


def test_everyone_sees_what_was_found(cast: Cast, client_of: ClientOf, site: Site) -> None:
    site.answer = lambda: moved("https://elsewhere.example.com/<b>page")
    seen()
    for person in (cast.viewer, cast.curator):
        client = client_of(person)
        listed = client.get(reverse("matrices:matrices")).content.decode()
        assert listed.count("<b>moved</b>") == 1
        page = client.get(reverse("matrices:source", args=[ROCM])).content.decode()
        assert "<b>moved</b>" in page
        assert "It redirects to https://elsewhere.example.com/&lt;b&gt;page" in page


def test_the_list_asks_no_more_of_the_database_for_sources_that_were_looked_at(
    site: Site, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        lines(timezone.localdate())
    seen()
    with django_assert_num_queries(2):
        assert [line.look.found for line in lines(timezone.localdate()) if line.first and line.look] == ["unchanged"]
