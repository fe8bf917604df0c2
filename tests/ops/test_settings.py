"""What the environment may set, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.ops.running import ROOT, environment

SERVED = {"DATABASE_URL": "postgres://somebody@127.0.0.1:1/nothing"}


def _load(names: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    code = f"import json; from portability import settings as s; print(json.dumps([s.{names.replace(',', ', s.')}]))"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def _values(names: str, env: dict[str, str]) -> list[Any]:
    done = _load(names, env)
    assert done.returncode == 0, done.stderr
    values: list[Any] = json.loads(done.stdout)
    return values


def test_served_without_a_secret_key_is_refused(tmp_path: Path) -> None:
    done = _load("SECRET_KEY", environment(tmp_path, **SERVED))
    assert done.returncode != 0
    assert "PORTABILITY_SECRET_KEY must be set" in done.stderr
    assert not (tmp_path / "secret-key").exists()


def test_embedded_keeps_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    data = tmp_path / "new"
    (first,), (second,) = (_values("SECRET_KEY", environment(data)) for _ in range(2))
    assert first == second
    assert len(first) > 50
    assert (data / "secret-key").stat().st_mode & 0o777 == 0o600
    assert data.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", ["../elsewhere", "", "a/b", "Mine", "-x"])
def test_a_register_is_a_file_name_and_no_path(tmp_path: Path, name: str) -> None:
    done = _load("REGISTER", environment(tmp_path, PORTABILITY_REGISTER=name))
    assert done.returncode != 0
    assert "PORTABILITY_REGISTER is a file's name" in done.stderr


def test_https_hardens_cookies_and_redirects_all_but_health(tmp_path: Path) -> None:
    names = "SESSION_COOKIE_SECURE,CSRF_COOKIE_SECURE,SECURE_SSL_REDIRECT,SECURE_HSTS_SECONDS,SECURE_REDIRECT_EXEMPT"
    values = _values(names, environment(tmp_path, PORTABILITY_HTTPS="1"))
    assert values == [True, True, True, 31536000, ["^health/"]]
    assert _values("SESSION_COOKIE_SECURE,SECURE_SSL_REDIRECT", environment(tmp_path)) == [False, False]


def test_hosts_are_those_given_and_the_machine_itself(tmp_path: Path) -> None:
    (given,) = _values("ALLOWED_HOSTS", environment(tmp_path, PORTABILITY_HOSTS="a.example,b.example"))
    assert given == ["a.example", "b.example", "127.0.0.1", "localhost", "[::1]"]


def test_nothing_is_fetched_until_hosts_are_named(tmp_path: Path) -> None:
    names = "FETCH_HOSTS.places == frozenset(),CHECK_SOURCES"
    assert _values(names, environment(tmp_path)) == [True, False]
    (on,) = _values("CELERY_BEAT_SCHEDULE", environment(tmp_path))
    assert "check-sources" not in on
    given = environment(tmp_path, PORTABILITY_FETCH_HOSTS="docs.example.com", PORTABILITY_CHECK_SOURCES="1")
    assert _values(names, given) == [False, True]
    (on,) = _values("CELERY_BEAT_SCHEDULE", given)
    assert on["check-sources"]["task"] == "portability.matrices.tasks.check_sources"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"PORTABILITY_FETCH_HOSTS": "https://docs.example.com"},
            "PORTABILITY_FETCH_HOSTS: “https://docs.example.com”",
        ),
        ({"PORTABILITY_FETCH_HOSTS": "127.0.0.1"}, "PORTABILITY_FETCH_HOSTS: “127.0.0.1”"),
        ({"PORTABILITY_CHECK_SOURCES": "1"}, "PORTABILITY_CHECK_SOURCES=1 needs hosts"),
        ({"PORTABILITY_EXPORT_DAYS": "0"}, "PORTABILITY_EXPORT_DAYS is a number of days from 1 to 999, not “0”"),
    ],
)
def test_settings_that_make_no_sense_are_refused(tmp_path: Path, given: dict[str, str], words: str) -> None:
    done = _load("FETCH_HOSTS", environment(tmp_path, **given))
    assert done.returncode != 0
    assert words in done.stderr


@pytest.mark.django_db
def test_every_answer_has_the_headers_that_harden_it(client: Client) -> None:
    headers = client.get("/health/live/").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert client.get("/health/live/", headers={"host": "evil.example"}).status_code == 400


def test_nothing_is_sent_until_an_operator_says_where_to(tmp_path: Path) -> None:
    names = "EMAIL_HOST,PUBLIC_URL,WEBHOOK_HOSTS.places == frozenset()"
    assert _values(names, environment(tmp_path)) == ["", "", True]
    given = environment(
        tmp_path,
        PORTABILITY_PUBLIC_URL="https://register.example.org/",
        PORTABILITY_EMAIL_URL="smtp+tls://ann:p%40ss@mail.example.org",
        PORTABILITY_EMAIL_FROM="register@example.org",
        PORTABILITY_WEBHOOK_HOSTS="hooks.example.org",
    )
    assert _values(names, given) == ["mail.example.org", "https://register.example.org", False]
    names = "EMAIL_PORT,EMAIL_HOST_USER,EMAIL_HOST_PASSWORD,EMAIL_USE_TLS,EMAIL_USE_SSL,DEFAULT_FROM_EMAIL"
    assert _values(names, given) == [587, "ann", "p@ss", True, False, "register@example.org"]


MAIL = {"PORTABILITY_EMAIL_URL": "smtp://mail.example.org", "PORTABILITY_EMAIL_FROM": "register@example.org"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"PORTABILITY_EMAIL_URL": "mail.example.org"}, "PORTABILITY_EMAIL_URL is no mail server"),
        ({"PORTABILITY_EMAIL_URL": "smtp://mail.example.org"}, "needs a sender, in PORTABILITY_EMAIL_FROM"),
        (MAIL, "give its address, PORTABILITY_PUBLIC_URL"),
        ({"PORTABILITY_WEBHOOK_HOSTS": "hooks.example.org"}, "give its address, PORTABILITY_PUBLIC_URL"),
        ({"PORTABILITY_WEBHOOK_HOSTS": "https://hooks.example.org"}, "PORTABILITY_WEBHOOK_HOSTS: “https"),
        ({"PORTABILITY_PUBLIC_URL": "register.example.org"}, "PORTABILITY_PUBLIC_URL is no address"),
    ],
    ids=["no scheme", "no sender", "mail without address", "webhooks without address", "no host", "no address"],
)
def test_half_of_what_messages_need_is_refused(tmp_path: Path, given: dict[str, str], words: str) -> None:
    done = _load("EMAIL_HOST", environment(tmp_path, **given))
    assert done.returncode != 0
    assert words in done.stderr
