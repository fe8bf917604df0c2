"""Errors that people meet look like the product and say what to do."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from portability import errors
from portability.accounts.models import Person
from tests.conftest import Cast

ClientOf = Callable[[Person | None], Client]


def test_404_keeps_the_bar_and_shows_a_way_on(cast: Cast, client_of: ClientOf) -> None:
    answer = client_of(cast.viewer).get("/there/is/nothing/<b>here</b>/")
    assert answer.status_code == 404
    text = answer.content.decode()
    assert "nothing at this address" in text
    assert "Sign out" in text
    assert "<b>here" not in text


def test_403_says_that_nothing_changed(cast: Cast, client_of: ClientOf) -> None:
    answer = client_of(cast.viewer).get(reverse("audit:entries"))
    assert answer.status_code == 403
    assert "Your role does not include this" in answer.content.decode()


@pytest.mark.parametrize("kind", ["text", "file"])
def test_413_names_the_limit_and_what_was_sent(cast: Cast, client_of: ClientOf, kind: str) -> None:
    size = 20 * 1024 * 1024
    sent = "x" * size if kind == "text" else SimpleUploadedFile("big.yaml", b"x" * size)
    answer = client_of(cast.administrator).post(reverse("accounts:teams"), {"name": sent})
    assert answer.status_code == 413
    text = answer.content.decode().replace("\xa0", " ")
    assert "4.0 MB" in text
    assert "20.0 MB" in text


def test_413_for_too_many_files(cast: Cast, client_of: ClientOf) -> None:
    files = {f"f{n}": SimpleUploadedFile(f"{n}.yaml", b"x") for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FILES + 1)}
    answer = client_of(cast.administrator).post(reverse("accounts:teams"), files)
    assert answer.status_code == 413
    assert "100 files" in answer.content.decode()


def test_400_for_a_request_that_makes_no_sense(db: None) -> None:
    answer = Client().get(reverse("accounts:login"), headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert "made no sense" in answer.content.decode()


def test_500_shows_a_number_that_leads_to_the_log_and_no_trace(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise RuntimeError("the secret of the failure")

    monkeypatch.setattr("portability.accounts.queries.people", fails)
    client = Client(raise_request_exception=False)
    client.force_login(cast.administrator, backend="django.contrib.auth.backends.ModelBackend")
    with caplog.at_level(logging.ERROR):
        answer = client.get(reverse("accounts:people"))
    assert answer.status_code == 500
    text = answer.content.decode()
    assert "went wrong on our side" in text
    assert answer["X-Request-Id"] in text
    assert "secret of the failure" not in text
    assert "Traceback" not in text
    assert any("secret of the failure" in str(record.exc_info) for record in caplog.records)


def test_500_needs_no_database() -> None:
    """Rendered where any query would fail the test."""
    answer = errors.server_error(RequestFactory().get("/"))
    assert b"went wrong on our side" in answer.content


def test_sent_text_leaves_out_passwords_and_empty_fields() -> None:
    request: HttpRequest = RequestFactory().post(
        "/", {"name": "a", "old_password": "b", "empty": " ", "csrfmiddlewaretoken": "c", "file_text": ["d", "e"]}
    )
    assert errors.sent_text(request) == [("name", "a"), ("file text", "d"), ("file text", "e")]


@pytest.mark.parametrize(
    ("method", "name", "allowed", "said"),
    [
        ("get", "accounts:logout", "POST", "has no page to show"),
        ("post", "exposure:exposure", "GET, HEAD", 'href="/">Open the page itself'),
        ("put", "register:register", "GET, HEAD", 'href="/register/">Open the page itself'),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_405_says_what_to_do_and_which_methods_are_taken(
    cast: Cast, client_of: ClientOf, method: str, name: str, allowed: str, said: str, headers: dict[str, str]
) -> None:
    answer = getattr(client_of(cast.viewer), method)(reverse(name), headers=headers)
    assert (answer.status_code, answer["Allow"]) == (405, allowed)
    text = answer.content.decode()
    assert "Not in this way" in text and said in text and "Sign out" in text


def test_405_asks_nothing_of_the_database_of_who_is_not_signed_in() -> None:
    answer = Client().post(reverse("health:live"))
    assert answer.status_code == 405
    assert "Not in this way" in answer.content.decode()
