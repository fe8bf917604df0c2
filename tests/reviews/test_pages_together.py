"""Deciding several entries at once: which, what it would do to each, doing it, and who was there before."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.reviews.actions import close
from portability.reviews.models import Decision, Entry, Review
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import NOTHING, PLAIN, TODAY, choose_target, decided, register, revise

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


@pytest.fixture
def three(cast: Cast, review: Review) -> list[Entry]:
    """`chat`, one that could move, and one that is not assessed."""
    register(cast.member, cast.search, "moves", PLAIN)
    register(cast.outsider, cast.media, "settings", NOTHING)
    return list(Entry.objects.select_related("review").order_by("workload__name"))


def where(review: Review, query: str = "") -> str:
    return reverse("reviews:together", args=[review.quarter]) + query


def sent(page: str, step: str, **fields: str) -> dict[str, object]:
    """The form of the page, filled in."""
    hidden = {name: re.findall(rf'name="{name}" value="([^"]*)"', page) for name in ("entry", "seen")}
    return {"kind": "agree", "reason": "Routine.", **hidden, **fields, "step": step}


def test_the_ticked_ones_or_all_of_the_filtered_list(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    ticked = client.get(where(review, f"?entry={three[0].pk}&entry={three[1].pk}&entry=x")).content.decode()
    assert "2 entries of review" in ticked and "settings" not in ticked
    every = client.get(where(review, "?all=yes&team=search")).content.decode()
    assert "2 entries of review" in every and "1 movable" in every and "1 needs change" in every
    assert "No entry is ticked." in client.get(where(review)).content.decode()


def test_the_preview_says_what_it_would_touch_and_what_it_leaves_out(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    page = client.get(where(review, "?all=yes")).content.decode()
    preview = client.post(where(review, "?all=yes"), sent(page, "preview")).content.decode()
    assert "This would decide 2 entries" in preview and "Left out: 1" in preview
    assert "It is not assessed: decide “not known”" in preview
    assert not Decision.objects.exists(), "a preview changes nothing"
    answer = client.post(where(review, "?all=yes"), sent(preview, "decide"), follow=True)
    assert "2 decided together: chat, moves. One undo takes them all back." in answer.content.decode()
    assert Decision.objects.values("bulk").distinct().count() == 1
    assert set(Decision.objects.values_list("reason", flat=True)) == {"Routine."}
    undone = client.post(reverse("reviews:undo", args=[review.quarter]), follow=True).content.decode()
    assert "Undone: 2 decisions, on chat, moves." in undone


def test_the_preview_names_those_that_stay_on_another_target(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    page = client.get(where(review, "?all=yes")).content.decode()
    assert "another target" not in client.post(where(review), sent(page, "preview")).content.decode()
    moves = Workload.objects.get(name="moves")
    revise(cast.member, moves, PLAIN, vendor="unknown")
    choose_target(name="mi355x-single")
    preview = client.post(where(review), sent(page, "preview")).content.decode()
    assert "2 of them are for another target than the default one" in preview
    staying = preview.split('id="elsewhere"')[1].split("</ul>")[0]
    assert "<b>chat</b> for mi300x-single; the default target of what runs on NVIDIA is mi355x-single" in staying
    assert "<b>moves</b> for mi300x-single; no default target is chosen for what runs on a vendor" in staying
    assert "settings" not in staying, "it is left out"
    alone = client.post(where(review), sent(preview, "preview", entry=str(three[0].pk))).content.decode()
    assert "It is for another target than the default one" in alone
    answer = client.post(where(review), sent(preview, "decide"), follow=True).content.decode()
    assert "2 decided together" in answer


def test_a_reason_is_required(cast: Cast, review: Review, three: list[Entry], client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    page = client.get(where(review, "?all=yes")).content.decode()
    for step in ("preview", "decide"):
        answer = client.post(where(review), sent(page, step, reason=" "))
        assert answer.status_code == 422
    assert not Decision.objects.exists()


def test_who_was_there_before_is_shown_and_nothing_is_decided(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    page = client.get(where(review, "?all=yes")).content.decode()
    preview = client.post(where(review), sent(page, "preview")).content.decode()
    second = Person.objects.create(username="second", architect=True)
    decided(second, three[0], timezone.localdate(), kind="stays", reason="It goes with its hardware.")
    answer = client.post(where(review), sent(preview, "decide"))
    page = answer.content.decode()
    assert answer.status_code == 422 and "second decided chat in the meantime" in page
    assert "Routine." in page and "instead of what is decided" in page
    assert Decision.objects.get().made_by == second
    client.post(where(review), sent(page, "decide"))
    assert Decision.objects.filter(made_by=cast.architect).count() == 2


def test_where_somebody_closed_it_meanwhile_that_is_said_and_nothing_is_decided(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    preview = client.post(where(review), sent(client.get(where(review, "?all=yes")).content.decode(), "preview"))
    stays = {"kind": "stays", "reason": "It goes with its hardware."}
    not_known = {"kind": "not-known", "finds_out": "Lena", "by_day": TODAY}
    for entry in three:
        decided(cast.architect, entry, TODAY, **(not_known if entry.workload.name == "settings" else stays))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    answer = client.post(where(review), sent(preview.content.decode(), "decide"), follow=True)
    assert "is closed. Nothing was changed." in answer.content.decode()
    assert set(Decision.objects.values_list("kind", flat=True)) == {"stays", "not-known"}
    address = reverse("reviews:assign_many", args=[review.quarter])
    answer = client.post(address, {"entry": [str(three[0].pk)], "to": "architect"}, follow=True)
    assert "is closed. Nothing was changed." in answer.content.decode()


def test_several_are_assigned(cast: Cast, review: Review, three: list[Entry], client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    address = reverse("reviews:assign_many", args=[review.quarter])
    chosen = {"entry": [str(entry.pk) for entry in three], "to": "architect"}
    assert "3 entries assigned to architect." in client.post(address, chosen, follow=True).content.decode()
    assert Entry.objects.filter(assigned=cast.architect).count() == 3
    assert "Choose the entries first." in client.post(address, {"to": ""}, follow=True).content.decode()


@pytest.mark.parametrize("role", ["viewer", "member", "administrator"])
def test_others_may_not(role: str, cast: Cast, review: Review, three: list[Entry], client_of: ClientOf) -> None:
    client = client_of(getattr(cast, role))
    assert client.get(where(review, "?all=yes")).status_code == 403
    assert client.post(where(review), {"entry": [str(three[0].pk)]}).status_code == 403


def test_the_fields_of_each_kind_stand_together_under_its_name(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    page = client_of(cast.architect).get(where(review, "?all=yes")).content.decode()
    plan = page.split('<fieldset data-kind="plan">')[1].split("</fieldset>")[0]
    not_known = page.split('<fieldset data-kind="not-known">')[1].split("</fieldset>")[0]
    assert "agree, with a plan" in plan and "not known (what is not assessed)" in not_known
    assert {"plan_quarter", "plan_owner", "plan_effort"} == set(re.findall(r'name="(\w+)"', plan))
    assert {"finds_out", "by_day"} == set(re.findall(r'name="(\w+)"', not_known))
    for name in ("plan_quarter", "plan_owner", "plan_effort", "finds_out", "by_day"):
        assert f'<label for="together_{name}">' in page
    assert "required" not in plan + not_known, "a browser sends what is empty and not in sight"


def test_what_another_kind_asks_for_is_left_out_whatever_stands_there(
    cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    page = client.get(where(review, "?all=yes")).content.decode()
    typed = {"finds_out": "Lena", "by_day": "soon", "plan_owner": "us", "plan_quarter": "some day"}
    preview = client.post(where(review), sent(page, "preview", **typed))
    assert preview.status_code == 200 and "This would decide 2 entries" in preview.content.decode()
    client.post(where(review), sent(preview.content.decode(), "decide", **typed))
    assert set(Decision.objects.values_list("kind", "finds_out", "by_day", "plan_owner")) == {("agree", "", None, "")}


@pytest.mark.parametrize(
    ("kind", "field"),
    [("plan", "plan_quarter"), ("plan", "plan_owner"), ("not-known", "finds_out"), ("not-known", "by_day")],
)
def test_what_the_chosen_kind_asks_for_is_required(
    kind: str, field: str, cast: Cast, review: Review, three: list[Entry], client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    page = client.get(where(review, "?all=yes")).content.decode()
    typed = {"plan_quarter": "2099-Q1", "plan_owner": "us", "plan_effort": "a day", "finds_out": "Lena"}
    typed |= {"by_day": "2099-01-01", field: ""}
    answer = client.post(where(review), sent(page, "preview", kind=kind, **typed))
    assert answer.status_code == 422 and f'id="together_{field}-errors"' in answer.content.decode()


def test_one_alone_is_counted_as_one(cast: Cast, review: Review, three: list[Entry], client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    address = where(review, f"?entry={three[0].pk}")
    preview = client.post(address, sent(client.get(address).content.decode(), "preview")).content.decode()
    assert "This would decide 1 entry" in preview and "Decide this one" in preview
    answer = client.post(address, sent(preview, "decide"), follow=True).content.decode()
    assert "1 decided: chat. One undo takes it back." in answer
