"""The bar shows what the person may open, and where one is."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.urls import reverse

from portability.accounts.models import Person
from portability.ui.navigation import Bar, bar_for
from tests.conftest import Cast


def bar(person: Person | AnonymousUser, path: str = "/") -> Bar:
    request = RequestFactory().get(path)
    request.user = person
    return bar_for(request)


def labels(shown: Bar) -> list[str]:
    return [link.label for link in shown.links]


def test_everyone_is_shown_what_they_may_open(cast: Cast) -> None:
    assert labels(bar(cast.viewer)) == ["Exposure", "Register", "Review", "Targets", "Matrices", "Rules"]
    assert labels(bar(cast.member)) == [
        "Exposure",
        "Register",
        "Register a workload",
        "Review",
        "Targets",
        "Matrices",
        "Rules",
    ]
    assert labels(bar(cast.architect)) == ["Exposure", "Register", "Review", "Targets", "Matrices", "Rules", "History"]
    keeps = ["Exposure", "Register", "Review", "Targets", "Matrices", "Rules", "People", "Teams", "Settings", "History"]
    assert labels(bar(cast.administrator)) == keeps
    assert bar(AnonymousUser()) == Bar()


def test_roles_are_in_words(cast: Cast) -> None:
    cast.member.architect = True
    assert [bar(p).roles for p in (cast.viewer, cast.member, cast.curator)] == [
        "viewer",
        "member, architect",
        "curator",
    ]


def test_the_page_itself_and_pages_below_are_told_apart(cast: Cast) -> None:
    def current(path: str) -> dict[str, str]:
        return {link.label: link.current for link in bar(cast.administrator, path).links if link.current}

    assert current(reverse("accounts:people")) == {"People": "page"}
    assert current(reverse("accounts:person", args=[1])) == {"People": "true"}
    assert current(reverse("accounts:password")) == {}
