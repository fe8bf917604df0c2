"""A session that ended in the middle of an edit: nothing saved, nothing lost, and no login page inside a page."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person, Team
from tests.conftest import Cast

ClientOf = Callable[[Person | None], Client]
TEXT = "kind: Deployment\n# <script>alert(1)</script>\n" + "# long\n" * 30


def test_what_a_form_sent_after_the_session_ended_is_given_back(cast: Cast) -> None:
    unseen = {"password": "not to be shown", "token": "not to be shown", "detected_model": "not to be shown"}
    answer = Client().post(reverse("accounts:teams"), {"name": "Risk", "text": TEXT, **unseen})
    assert answer.status_code == 403
    assert "no-store" in answer["Cache-Control"]
    page = answer.content.decode()
    assert "nothing was saved" in page
    assert reverse("accounts:login") in page
    assert "kind: Deployment" in page
    assert "<dd>Risk</dd>" in page
    assert "<script>alert" not in page
    assert "not to be shown" not in page
    assert not Team.objects.filter(name="Risk").exists()


def test_a_fragment_request_is_led_to_the_login_page_as_a_whole(cast: Cast) -> None:
    here = "http://testserver" + reverse("accounts:people") + "?page=2"
    answer = Client().get(reverse("accounts:people"), headers={"HX-Request": "true", "HX-Current-URL": here})
    assert answer.status_code == 401
    assert answer.content == b""
    assert answer["HX-Redirect"] == f"{reverse('accounts:login')}?next=%2Fpeople%2F%3Fpage%3D2"


def test_a_fragment_that_sends_text_is_told_and_stays_where_it_is(cast: Cast) -> None:
    answer = Client().post(reverse("accounts:teams"), {"name": "Risk"}, headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert answer["HX-Retarget"] == "#messages"
    assert "HX-Redirect" not in answer
    page = answer.content.decode()
    assert "You were signed out" in page
    assert "<html" not in page


def test_a_form_without_a_valid_token_says_so_and_gives_the_text_back(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.administrator, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(reverse("accounts:teams"), {"name": "Risk", "csrfmiddlewaretoken": "of an older page"})
    assert answer.status_code == 403
    assert "no-store" in answer["Cache-Control"]
    page = answer.content.decode()
    assert "nothing was saved" in page
    assert "<dd>Risk</dd>" in page
    assert "of an older page" not in page
    assert not Team.objects.filter(name="Risk").exists()


def test_a_fragment_without_a_valid_token_is_told_in_the_page(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.administrator, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(reverse("accounts:teams"), {"name": "Risk"}, headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert answer["HX-Retarget"] == "#messages"
    assert "<html" not in answer.content.decode()
