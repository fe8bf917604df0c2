"""What was typed for an entry that cannot be decided so any more: it is given back beside the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.reviews.models import Decision, Entry, Review
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import NOTHING, PINNED, SERVING, decided, entry_of, register, revise, seen

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
STAYS = "It goes with its hardware."


def form(entry: Entry, **fields: Any) -> dict[str, Any]:
    """What a form of the page sends."""
    now = seen(entry, timezone.localdate())
    return {"version": now.version, "assessment": now.assessment or 0, **fields}


def sent(client: Client, entry: Entry, kind: str, typed: dict[str, Any]) -> str:
    """The page that answers; nothing is decided."""
    for headers in ({}, {"HX-Request": "true", "HX-Target": "queue"}):
        answer = client.post(reverse("reviews:decide", args=[entry.pk, kind]), typed, headers=headers)
        assert answer.status_code == 422
    assert not Decision.objects.filter(kind=kind).exists()
    return answer.content.decode()


def test_one_that_retired_meanwhile_is_not_offered_again(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    typed = form(entry, reason=STAYS, link="https://risk.example/7")
    retire(cast.member, chat.pk, "replaced")
    client = client_of(cast.architect)
    page = sent(client, entry, "stays", typed)
    assert "chat was retired in the meantime." in page and "chat is retired: its entry closed itself." in page
    assert STAYS in page and "https://risk.example/7" in page
    assert "Decide on top" not in page
    again = sent(client, entry, "stays", typed | form(entry))  # from a page that offered it
    assert "chat is retired: its entry closed itself." in again and STAYS in again
    empty = sent(client, entry, "otherwise", form(entry, verdict="", reason=STAYS, evidence="", link=""))
    assert "Evidence: This field is required." in empty and STAYS in empty


def test_the_same_where_somebody_had_decided_it(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    typed = form(entry, reason=STAYS, link="")
    decided(cast.architect, entry, timezone.localdate())
    retire(cast.member, chat.pk, "replaced")
    page = sent(client_of(cast.architect), entry, "stays", typed)
    assert "chat was retired in the meantime." in page and STAYS in page and "Decide on top" not in page


def test_one_that_cannot_be_read_any_more_gives_the_plan_back(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    fields = {"plan_quarter": "2099-Q1", "plan_owner": "the platform team", "plan_effort": "2 days"}
    here = client_of(cast.architect).get(reverse("reviews:review", args=[review.quarter])).content.decode()
    fields["plan_quarter"] = here.split('name="plan_quarter"')[1].split('<option value="20')[1][:5].join(["20", ""])
    typed = form(entry, **fields, link="", reason="")
    revise(cast.member, chat, NOTHING)
    page = sent(client_of(cast.architect), entry, "plan", typed)
    assert "chat was needs change and is not assessed now: look at it again." in page
    assert "It is not assessed: decide “not known”" in page
    assert "the platform team" in page and "2 days" in page and "Decide on top" not in page


def test_what_can_be_put_right_is_still_offered(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    entry = entry_of(review, chat)
    typed = form(entry, verdict="pinned", reason="It cannot move.", evidence="A test of October.", link="")
    revise(cast.member, chat, SERVING, **PINNED)
    page = sent(client_of(cast.architect), entry, "otherwise", typed)
    assert "Decide on top" in page and "That is the verdict already: agree with it." in page


def test_what_is_left_to_the_next_review_and_retired_meanwhile_gives_the_reason_back(
    cast: Cast, review: Review, client_of: ClientOf
) -> None:
    late = register(cast.member, cast.search, "late")
    entry = entry_of(review, late)
    typed = {"version": entry.version, "reason": "Registered last week."}
    retire(cast.member, late.pk, "replaced")
    answer = client_of(cast.architect).post(reverse("reviews:defer", args=[entry.pk]), typed)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "late is retired: its entry closed itself." in page and "Registered last week." in page
    assert "Decide on top" not in page


def test_a_button_that_is_refused_says_why(cast: Cast, review: Review, chat: Workload, client_of: ClientOf) -> None:
    entry = entry_of(review, chat)
    page = sent(client_of(cast.architect), entry, "confirm", form(entry))
    assert "Nothing was decided before. Decide anew." in page and "Nothing was saved" in page
