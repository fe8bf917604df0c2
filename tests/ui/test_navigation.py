"""The bar shows what the person may open, and where one is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portability.accounts.models import Person
from portability.reviews.actions import answer, ask, open_review
from portability.ui.navigation import Bar, bar_for
from tests.conftest import Cast
from tests.reviews.making import Q4, TODAY, choose_target, entry_of, register

ClientOf = Callable[[Person | None], Client]


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


def test_a_team_is_told_on_every_page_how_many_questions_wait_and_nobody_else_is(
    cast: Cast, shipped: None, client_of: ClientOf
) -> None:
    choose_target()
    chat = register(cast.member, cast.search, "chat")
    review = open_review(cast.architect, Q4, TODAY)
    questions = [ask(cast.architect, entry_of(review, chat).pk, text) for text in ("Pinned?", "By whom?")]

    def waiting(person: Person, path: str = "/reviews/") -> list[tuple[str, int]]:
        shown = bar(person, path)
        return [(link.label, link.questions) for link in (*shown.links, *shown.below) if link.questions]

    assert waiting(cast.member) == [("Review", 2), ("Questions", 2)]
    assert waiting(cast.teammate, "/targets/") == [("Review", 2)]
    for person in (cast.outsider, cast.viewer, cast.architect, cast.administrator):
        assert waiting(person) == []
    page = client_of(cast.member).get("/reviews/").content.decode()
    said = '<b class="waits">2</b><span class="sr"> questions waiting for your team’s answer</span></a>'
    assert page.count(said) == 2
    answer(cast.member, questions[0].pk, "Yes.")
    page = client_of(cast.member).get("/targets/").content.decode()
    assert '<b class="waits">1</b><span class="sr"> question waiting for your team’s answer</span></a>' in page
    answer(cast.member, questions[1].pk, "By us.")
    assert 'class="waits"' not in client_of(cast.member).get("/targets/").content.decode()


@pytest.mark.parametrize(("role", "queries"), [("viewer", 1), ("architect", 1), ("member", 2)])
def test_only_members_cost_a_query_for_questions(cast: Cast, role: str, queries: int) -> None:
    person = getattr(cast, role)
    with CaptureQueriesContext(connection) as asked:
        bar(person)
    assert len(asked) == queries, [query["sql"] for query in asked]


def test_a_role_that_is_the_name_is_not_said_twice(cast: Cast, client_of: ClientOf) -> None:
    assert 'class="wide">viewer' not in client_of(cast.viewer).get("/targets/").content.decode()
    assert '<span class="wide">member</span>' in client_of(cast.teammate).get("/targets/").content.decode()
