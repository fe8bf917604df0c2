"""What the page of the sign-off says is still open besides decisions."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation.models import DefaultTarget
from portability.reviews.actions import answer, ask
from portability.reviews.models import Entry, Note, Review
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import SERVING, choose_target, decided, entry_of, register, revise

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
SIGN = "/reviews/2026-Q4/sign/"
OPEN = "What stays open"


def told(page: str) -> str:
    """What it says is open, without its tags; it stands before the statement."""
    assert page.index(OPEN) < page.index('name="statement"')
    part = page.split(OPEN)[1].split("<form")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", part)).split())


def listed(client: Client, state: str) -> set[str]:
    """The workloads of the entries to which the page of the sign-off leads."""
    address = f"/reviews/2026-Q4/?state={state}"
    assert address in client.get(SIGN).content.decode()
    page = client.get(address).content.decode()
    assert "nothing the filter" not in page
    return {name for name in Workload.objects.values_list("name", flat=True) if f">{name}<" in page}


def decide_all(cast: Cast, review: Review) -> None:
    """Agree with each."""
    for entry in review.entries.select_related("review"):
        decided(cast.architect, entry, timezone.localdate())


def test_open_questions_are_named_and_it_can_be_signed(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    second = register(cast.member, cast.search, "second")
    client = client_of(cast.architect)
    decide_all(cast, review)
    for workload in (chat, second):
        ask(cast.architect, entry_of(review, workload).pk, "Who runs it?")
    answer(cast.member, Note.objects.get(entry__workload=second).pk, "We do.")
    said = told(client.get(SIGN).content.decode())
    assert "1 with an open question : what is not answered by then goes unanswered into the record." in said
    assert "another target" not in said and "None of this stands in the way of signing." in said
    assert listed(client, "question") == {"chat"}
    assert client.post(SIGN, {"statement": "All was looked at."}).status_code == 302
    review.refresh_from_db()
    assert review.state == Review.State.CLOSED


def test_what_stays_on_another_target_is_named_and_it_can_be_signed(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    register(cast.member, cast.search, "second")
    third = register(cast.member, cast.search, "third")
    revise(cast.member, third, SERVING, vendor="unknown")
    choose_target(name="mi355x-single")
    register(cast.member, cast.search, "there")
    DefaultTarget.objects.exclude(vendor="nvidia").delete()
    client = client_of(cast.architect)
    decide_all(cast, review)
    said = told(client.get(SIGN).content.decode())
    assert "3 for another target than the default one of what their workloads run on today:" in said
    assert "they go into the record for the target they stay on, unless you move 2 of them first." in said
    assert "question" not in said
    assert listed(client, "elsewhere") == {"chat", "second", "third"}
    assert client.post(SIGN, {"statement": "All was looked at."}).status_code == 302


def test_it_is_said_while_something_is_left_to_decide_too(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    choose_target(name="mi355x-single")
    page = client_of(cast.architect).get(SIGN).content.decode()
    assert "1 to decide" in page and "1 for another target" in page
    assert "it goes into the record for the target it stays on, unless you move it first." in page


def test_where_nothing_stays_open_nothing_is_said(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    decide_all(cast, review)
    assert OPEN not in client_of(cast.architect).get(SIGN).content.decode()


def test_the_queue_says_of_which_there_is_no_target_to_move_to(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    second = register(cast.member, cast.search, "second")
    choose_target(name="mi355x-single")
    client, here = client_of(cast.architect), "/reviews/2026-Q4/?state=elsewhere"
    page = client.get(here).content.decode()
    assert "2 entries are for another target" in page and "move all of them" in page
    revise(cast.member, second, SERVING, vendor="unknown")
    page = client.get(f"{here}&at={entry_of(review, second).pk}").content.decode()
    assert "2 entries are for another target" in page and "move 1 of them" in page
    assert "It runs on a vendor that is not known by now, and ran on NVIDIA when this entry got its target." in page
    assert "This entry stays on mi300x-single." in page and "Move it to" not in page
    target = Target.objects.get(name="mi355x-single")
    client.post("/reviews/2026-Q4/move/", {"to": f"nvidia:{target.pk}"})
    assert set(Entry.objects.filter(target=target).values_list("workload__name", flat=True)) == {"chat"}
    page = client.get(here).content.decode()
    assert "1 entry is for another target" in page and "no default target is chosen to move it to." in page
    page = client.get("/reviews/2026-Q4/move/").content.decode()
    assert "No default target is chosen to move entries to." in page and "Every entry" not in page
    assert "it goes into the record for the target it stays on." in client.get(SIGN).content.decode()
