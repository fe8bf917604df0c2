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
    everyone = ["Exposure", "Register", "Review", "Targets", "Matrices", "Rules"]
    assert labels(bar(cast.viewer)) == everyone
    assert labels(bar(cast.member)) == [*everyone[:2], "Register a workload", *everyone[2:]]
    assert labels(bar(cast.architect)) == [*everyone, "History"]
    assert labels(bar(cast.administrator)) == [*everyone, "History", "Administration"]
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
        shown = bar(cast.administrator, path)
        return {link.label: link.current for link in (*shown.links, *shown.below, shown.own) if link.current}

    assert current(reverse("exposure:exposure")) == {"Exposure": "page"}
    assert current(reverse("accounts:people")) == {"Administration": "page", "People": "page"}
    assert current(reverse("accounts:person", args=[1])) == {"Administration": "true", "People": "true"}
    assert current(reverse("accounts:teams")) == {"Administration": "true", "Teams": "page"}
    assert current(reverse("accounts:password")) == {"What is yours": "true", "Password": "page"}
    assert current(reverse("saved_filters:all")) == {"What is yours": "true", "Saved filters": "page"}
    assert current(reverse("workloads:workload", args=[1])) == {}


def test_a_section_lists_its_pages_once_one_is_in_it(cast: Cast) -> None:
    def below(person: Person, path: str) -> list[str]:
        return [link.label for link in bar(person, path).below]

    assert below(cast.viewer, reverse("matrices:matrices")) == ["Sources", "What is known"]
    assert below(cast.administrator, reverse("organisation:settings")) == ["People", "Teams", "Settings", "Webhooks"]
    assert below(cast.viewer, reverse("targets:targets")) == []
    assert below(cast.viewer, reverse("exposure:exposure")) == []
