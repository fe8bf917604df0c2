"""A worker waits for a database that is busy or away, and not for one that stays as it is."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from unittest import mock

import pytest
from django.db import OperationalError, connection

from portability.register import batches
from portability.register.models import Batch, Happening, Run
from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.registering import register_workload, started

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def batch(cast: Cast, target: Target, woken: mock.Mock) -> Batch:
    """A batch that waits to be done."""
    register_workload(cast.search, "w")
    return started(target).batches.get()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
    """Called with the seconds that a worker would have waited. Other threads of this process sleep as ever."""
    waited = mock.Mock()
    monkeypatch.setattr(batches, "time", mock.Mock(wraps=time, sleep=waited))
    return waited


@contextmanager
def pragma(name: str, value: int) -> Iterator[None]:
    """A setting of the connection, for a while."""
    with connection.cursor() as cursor:
        [before] = cursor.execute(f"PRAGMA {name}").fetchone()
        cursor.execute(f"PRAGMA {name} = {value}")
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name} = {before}")


def test_a_batch_waits_until_whoever_writes_is_done(batch: Batch, pauses: mock.Mock) -> None:
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        pauses.side_effect = lambda _: other.execute("ROLLBACK")
        with pragma("busy_timeout", 50):
            assert batches.do_batch(batch.pk)
    assert pauses.call_count == 1
    assert Run.objects.get().state == Run.State.DONE


def test_a_register_that_cannot_be_written_to_is_said_at_once(batch: Batch, pauses: mock.Mock) -> None:
    with pragma("query_only", 1), pytest.raises(OperationalError, match="readonly"):
        batches.do_batch(batch.pk)
    assert not pauses.called
    assert batches.do_batch(batch.pk), "once it can"
    assert not Happening.objects.exists()


def test_what_is_wrong_with_the_tables_is_told_of_the_workload_and_not_tried_for_ever(
    batch: Batch, pauses: mock.Mock
) -> None:
    def fails(*_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM of_another_version")

    with mock.patch("portability.register.batches.Judges.judge", fails):
        while (waiting := Batch.objects.filter(state=Batch.State.WAITING).first()) is not None:
            assert batches.do_batch(waiting.pk)
    assert not pauses.called
    failed = Batch.objects.get(state=Batch.State.FAILED)
    assert failed.attempts == batches.ATTEMPTS
    assert "no such table: of_another_version" in failed.failures[0]["reason"]
    assert Run.objects.get().state == Run.State.DONE
