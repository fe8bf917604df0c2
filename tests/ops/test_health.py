"""The two health addresses."""

from __future__ import annotations

import pytest
from celery import Celery
from django.db import OperationalError
from django.test import Client

from portability.ops import health


def test_live_asks_nothing(client: Client) -> None:
    """No database is allowed here, and it answers."""
    answer = client.get("/health/live/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert client.post("/health/live/").status_code == 405


@pytest.mark.database
@pytest.mark.django_db
def test_ready(client: Client) -> None:
    answer = client.get("/health/ready/")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "migrations": "ok", "broker": "ok"}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_not_ready_while_migrations_are_pending(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "migrations_pending", lambda: True)
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "pending")


def test_not_ready_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> bool:
        raise OperationalError("password of user postgres is wrong")

    monkeypatch.setattr(health, "migrations_pending", away)
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["database"]) == (503, "away")
    assert "password" not in answer.content.decode()


@pytest.mark.django_db
def test_a_broker_that_is_away_is_told_and_stops_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    away = Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False)
    away.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
    monkeypatch.setattr(health, "app", away)
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["broker"]) == (200, "away")
