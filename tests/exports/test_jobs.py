"""Files made in the background: by whoever claims them, for one person alone, whatever happens to a worker."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from celery import current_app
from django.db import OperationalError, connections
from django.db.models.signals import post_save
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.exports import actions, jobs, source
from portability.exports.models import Export, Piece
from portability.register.models import Row
from portability.workloads.actions.erase import erase_value
from tests.conftest import Cast
from tests.register.generate import generate

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks and pieces so small that a few rows are several of them."""
    monkeypatch.setattr(source, "CHUNK", 10)
    monkeypatch.setattr(jobs, "PIECE", 4096)


def ask(client: Client, **asked: str) -> Export:
    answer = client.post(reverse("exports:new"), {"format": "csv", "token": str(uuid4()), **asked})
    assert answer.status_code == 302, answer.content.decode()
    return Export.objects.get(pk=int(answer.headers["Location"].rstrip("/").rpartition("/")[2]))


def content(client: Client, export: Export) -> bytes:
    answer = client.get(reverse("exports:file", args=[export.pk]))
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    raw = answer.getvalue()
    assert int(answer.headers["Content-Length"]) == len(raw)
    return raw


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
def test_the_file_holds_what_the_page_shows(cast: Cast, client_of: ClientOf, kind: str) -> None:
    generate(40)
    client = client_of(cast.member)
    export = ask(client, format=kind, verdict="pinned", sort="-gpus")
    assert export.state == Export.State.WAITING and export.total == 10
    assert jobs.make(export.pk)
    export.refresh_from_db()
    assert (export.state, export.done, export.total) == (Export.State.DONE, 10, 10)
    made = content(client, export)
    now = client.get(reverse("exports:take", args=[kind]), {"verdict": "pinned", "sort": "-gpus"})
    assert isinstance(now, StreamingHttpResponse)
    if kind == "csv":
        assert made == now.getvalue()
        assert Piece.objects.count() > 3
    else:
        assert made[:2] == now.getvalue()[:2] and len(made) > 1000
    entry = Entry.objects.get(
        action="register.exported", details__rows=10, details__format=kind, who=cast.member, pk__lt=now_pk()
    )
    assert entry.details["filter"] == "Verdict: pinned"


def now_pk() -> int:
    """The newest entry: that of the file that was made at once to compare with."""
    return Entry.objects.latest("pk").pk


@pytest.mark.parametrize("who", ["viewer", "teammate", "architect", "administrator"])
@pytest.mark.parametrize("name", ["export", "file", "cancel", "retry", "delete"])
def test_to_everybody_else_it_is_not_there(cast: Cast, client_of: ClientOf, who: str, name: str) -> None:
    generate(1)
    export = ask(client_of(cast.member))
    jobs.make(export.pk)
    other = client_of(getattr(cast, who))
    url = reverse(f"exports:{name}", args=[export.pk])
    answer = other.get(url) if name in ("export", "file") else other.post(url)
    assert answer.status_code == 404
    assert Export.objects.get(pk=export.pk).state == Export.State.DONE
    assert "You have none yet" in other.get(reverse("exports:exports")).content.decode()


def test_the_page_tells_how_far_it_is_and_what_to_do(cast: Cast, client_of: ClientOf) -> None:
    generate(3)
    client = client_of(cast.member)
    export = ask(client)
    page = reverse("exports:export", args=[export.pk])
    text = client.get(page).content.decode()
    assert "Waiting for a worker" in text and 'hx-trigger="every 2s"' in text
    assert "<html" not in client.get(page, headers={"HX-Request": "true"}).content.decode()
    Export.objects.filter(pk=export.pk).update(state=Export.State.RUNNING, done=2, attempts=1)
    assert "2 of 3 rows done" in client.get(page).content.decode()
    assert "2 of 3 rows" in client.get(reverse("exports:exports")).content.decode()
    answer = client.get(reverse("exports:file", args=[export.pk]), follow=True)
    assert "The file is not there" in answer.content.decode()


def test_sent_twice_it_is_asked_once(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client, token = client_of(cast.member), str(uuid4())
    assert ask(client, token=token) == ask(client, token=token)
    assert Export.objects.count() == 1
    refused = client_of(cast.viewer).post(reverse("exports:new"), {"format": "csv", "token": token})
    assert refused.status_code == 422 and "sent before" in refused.content.decode()
    refused = client.post(reverse("exports:new"), {"format": "csv", "token": "x"})
    assert refused.status_code == 422 and "Open the page anew" in refused.content.decode()


def test_there_are_limits_for_one_person(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)
    for _ in range(actions.MOST_UNFINISHED):
        last = ask(client)
    refused = client.post(reverse("exports:new"), {"format": "csv", "token": str(uuid4())})
    assert refused.status_code == 422 and "3 of your files are still being made" in refused.content.decode()
    ask(client_of(cast.viewer))
    client.post(reverse("exports:cancel", args=[last.pk]))
    ask(client)


class Interrupting:
    """Does something when so many pieces are stored: what happens in the middle of the work."""

    def __init__(self, act: Callable[[Piece], object], after: int = 2) -> None:
        self._act, self._after, self._seen = act, after, 0

    def __call__(self, instance: Piece, **_: object) -> None:
        self._seen += 1
        if self._seen == self._after:
            self._act(instance)

    def __enter__(self) -> None:
        post_save.connect(self, sender=Piece, weak=False)

    def __exit__(self, *_: object) -> None:
        post_save.disconnect(self, sender=Piece)


def test_cancelled_in_the_middle_the_worker_stops_and_nothing_is_left(cast: Cast, client_of: ClientOf) -> None:
    generate(60)
    client = client_of(cast.member)
    export = ask(client)
    with Interrupting(lambda piece: actions.cancel(cast.member, piece.export_id)):
        assert not jobs.make(export.pk)
    export.refresh_from_db()
    assert export.state == Export.State.CANCELLED and export.done < 60
    assert not Piece.objects.exists()
    assert not Entry.objects.filter(action="register.exported").exists()
    client.post(reverse("exports:retry", args=[export.pk]))
    assert jobs.make(export.pk)
    assert content(client, export).count(b"\r\n") == 61 and Export.objects.get().state == Export.State.DONE


def test_a_worker_of_before_writes_nothing_into_what_another_one_makes(cast: Cast, client_of: ClientOf) -> None:
    generate(60)
    client = client_of(cast.member)
    export = ask(client)

    def silenced_and_taken_over(_: Piece) -> None:
        Export.objects.filter(pk=export.pk).update(heard_at=timezone.now() - jobs.SILENT_AFTER * 2)
        Export.objects.filter(pk=export.pk).update(asked_at=timezone.now() - timedelta(minutes=1))
        assert jobs.take_over() == 1

    with Interrupting(silenced_and_taken_over):
        assert not jobs.make(export.pk)
    export.refresh_from_db()
    assert (export.state, export.attempts) == (Export.State.DONE, 2)
    assert content(client, export).count(b"\r\n") == 61


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_is_taken_over(cast: Cast, client_of: ClientOf) -> None:
    generate(60)
    client = client_of(cast.member)
    export = ask(client)
    connections.close_all()
    child = os.fork()
    if not child:  # the worker, which is killed in the middle of its work
        with Interrupting(lambda _: os.kill(os.getpid(), signal.SIGKILL), after=4):
            jobs.make(export.pk)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    export.refresh_from_db()
    assert export.state == Export.State.RUNNING and Piece.objects.count() == 3
    assert jobs.take_over() == 0  # it may be alive yet
    Export.objects.update(heard_at=timezone.now() - jobs.SILENT_AFTER * 2, asked_at=timezone.now() - timedelta(hours=1))
    assert jobs.take_over() == 1
    assert content(client, export).count(b"\r\n") == 61


def test_what_silences_every_worker_is_given_up_and_says_so(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)
    export = ask(client)
    silent = timezone.now() - jobs.SILENT_AFTER * 2
    Export.objects.update(state=Export.State.RUNNING, attempts=actions.ATTEMPTS, heard_at=silent)
    assert jobs.take_over() == 0
    text = client.get(reverse("exports:export", args=[export.pk])).content.decode()
    assert "It failed" in text and "stopped 3 times" in text
    client.post(reverse("exports:retry", args=[export.pk]))
    assert jobs.make(export.pk) and Export.objects.get().attempts == 4


def test_a_full_disk_is_told(cast: Cast, client_of: ClientOf) -> None:
    generate(30)
    client = client_of(cast.member)
    export = ask(client)

    def full(_: Piece) -> None:
        raise OperationalError("database or disk is full")

    with Interrupting(full):
        assert jobs.make(export.pk)
    assert "The disk is full" in client.get(reverse("exports:export", args=[export.pk])).content.decode()
    assert not Piece.objects.exists()


def test_a_broker_that_is_away_loses_nothing(
    cast: Cast,
    client_of: ClientOf,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    generate(1)
    away = functools.partial(current_app.connection_for_write, "redis://127.0.0.1:1/0")
    monkeypatch.setattr(current_app, "connection_for_write", away)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        export = ask(client_of(cast.member))
    Export.objects.update(asked_at=timezone.now() - jobs.UNWOKEN_AFTER * 2)
    assert jobs.take_over() == 1
    assert Export.objects.get(pk=export.pk).state == Export.State.DONE


def test_a_file_is_deleted_when_its_days_are_over(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)
    export = ask(client)
    jobs.make(export.pk)
    export.refresh_from_db()
    assert export.expires_at and timedelta(days=6) < export.expires_at - timezone.now() <= timedelta(days=7)
    assert jobs.clean_up() == 0
    Export.objects.update(expires_at=timezone.now())
    assert (
        "The file is not there" in client.get(reverse("exports:file", args=[export.pk]), follow=True).content.decode()
    )
    assert jobs.clean_up() == 1
    assert not Piece.objects.exists()
    assert "The file was deleted" in client.get(reverse("exports:export", args=[export.pk])).content.decode()
    Export.objects.update(asked_at=timezone.now() - jobs.FORGOTTEN_AFTER * 2)
    jobs.clean_up()
    assert not Export.objects.exists()


def test_its_owner_deletes_it_before(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.member)
    export = ask(client)
    jobs.make(export.pk)
    client.post(reverse("exports:delete", args=[export.pk]))
    assert not Export.objects.exists() and not Piece.objects.exists()
    assert Entry.objects.filter(action="export.deleted", who=cast.member).exists()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda: Row.objects.get().target.__class__.objects.update(name="renamed"), "There is no target"),
        (lambda: Person.objects.filter(username="member").update(is_active=False), "no longer signs in"),
    ],
    ids=["target", "person"],
)
def test_what_can_no_longer_be_used_fails_and_says_why(
    cast: Cast, client_of: ClientOf, spoil: Callable[[], object], words: str
) -> None:
    generate(1)
    export = ask(client_of(cast.member))
    spoil()
    jobs.make(export.pk)
    export.refresh_from_db()
    assert export.state == Export.State.FAILED and words in export.problem


def test_erasing_a_value_deletes_files_that_may_hold_it(cast: Cast, client_of: ClientOf) -> None:
    generate(3)
    client = client_of(cast.member)
    export = ask(client)
    jobs.make(export.pk)
    erase_value(cast.administrator, "a-secret-of-old")
    assert not Piece.objects.exists()
    text = client.get(reverse("exports:export", args=[export.pk])).content.decode()
    assert "The file was deleted" in text and "A value was erased" in text and "Make it again" in text


def test_a_value_erased_while_a_file_is_made_is_not_in_it(cast: Cast, client_of: ClientOf) -> None:
    generate(60)
    Row.objects.update(why="its token is a-secret-of-old")
    client = client_of(cast.member)
    export = ask(client)
    with Interrupting(lambda _: erase_value(cast.administrator, "a-secret-of-old", everywhere=True)):
        assert not jobs.make(export.pk)
    assert jobs.make(export.pk)
    assert b"a-secret-of-old" not in content(client, export)
