"""A real worker, in a process of its own, does a run and sends the digest of what moved in it, without being asked."""

from __future__ import annotations

import functools
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from celery import current_app

from portability.notifications.actions import DELIVER
from portability.waking import wake
from tests.notifications.mail import MailServer, text_of
from tests.register.test_worker import environment, run, worker

__all__ = ["environment"]
PREPARE = """
import django; django.setup()
from portability.accounts.models import Membership, Person, Team
from tests.notifications.telling import ask
from tests.register.generate import make_target
from tests.rules.custom import enable, workload
target = make_target()
team = Team.objects.create(name="Search", slug="search")
workload(team, "three", 3)
ann = Person.objects.create(username="ann", curator=True)
Membership.objects.create(person=ann, team=team)
ask(ann)
enable(ann, effect="blocks")
"""


@pytest.fixture
def mail() -> Iterator[MailServer]:
    """A mail server."""
    server = MailServer()
    yield server
    server.close()


def test_a_digest_follows_a_run(environment: dict[str, str], tmp_path: Path, mail: MailServer) -> None:
    told = environment | {
        "PORTABILITY_PUBLIC_URL": "https://register.example.org",
        "PORTABILITY_EMAIL_URL": f"smtp://127.0.0.1:{mail.port}",
        "PORTABILITY_EMAIL_FROM": "register@example.org",
    }
    run(told, "manage.py", "migrate", "--verbosity", "0")
    run(told, "-c", PREPARE)
    with worker(told, tmp_path):
        until = time.monotonic() + 60
        while not mail.messages and time.monotonic() < until:
            time.sleep(0.1)
    assert len(mail.messages) == 1, (tmp_path / "worker.log").read_text()
    assert "Search: 1 moved" in text_of(mail.messages[0])
    assert mail.messages[0]["To"] == "ann@example.org"


@pytest.mark.parametrize("kind", ["closed", "silent"])
def test_a_broker_that_is_away_is_not_waited_for(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:  # and never answers
        port = listening.getsockname()[1] if kind == "silent" else 9
        away = functools.partial(current_app.connection_for_write, f"redis://127.0.0.1:{port}/0")
        began = time.monotonic()
        with mock.patch.object(current_app, "connection_for_write", away):
            assert not wake(DELIVER, "nothing")
    assert time.monotonic() - began < 1.5
    assert "the broker is away" in caplog.text
