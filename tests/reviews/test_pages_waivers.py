"""The pages of waivers: giving one from a finding's place, what is shown of it, withdrawing it, the list of all."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation import kept
from portability.organisation.models import Organisation
from portability.reviews.models import Review, Waiver
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PLAIN, entry_of, revise, target

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]


def of_the_workload(client: Client, chat: Workload) -> str:
    address = reverse("workloads:workload", args=[chat.pk])
    return client.get(f"{address}?target={target().name}").content.decode()


def links(page: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'href="(/reviews/waive/[^"]+)"', page)]


def form() -> dict[str, str]:
    ends = timezone.localdate() + timedelta(days=20)
    return {"reason": "An image is built.", "link": "https://tickets.example/1", "ends": ends.isoformat()}


def test_from_the_workloads_page_and_back(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    where = links(of_the_workload(client, chat))[0]
    assert "IMG001" in client.get(where).content.decode()
    answer = client.post(where, form(), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [(f"/workloads/{chat.pk}/?target={target().name}", 302)]
    assert "is waived until" in page and "An image is built." in page
    assert where not in links(page), "what is waived is not offered again"
    assert "Decided verdict" not in page, "another finding still needs change"
    client.post(links(page)[0], form())
    page = of_the_workload(client, chat)
    assert re.search(r"Decided verdict: .*Movable", page, re.S) and "2 findings waived" in page
    withdrawn = client.post(unescape(re.findall(r'action="(/reviews/waivers/[^"]+)"', page)[0]), follow=True)
    assert "is withdrawn" in withdrawn.content.decode()
    assert withdrawn.redirect_chain == [(f"/workloads/{chat.pk}/?target={target().name}", 302)]
    assert Waiver.objects.filter(withdrawn_at=None).count() == 1


def test_from_the_entry_and_back_to_it(cast: Cast, review: Review, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    at = entry_of(review, chat).pk
    page = client.get(f"/reviews/{review.quarter}/?state=all&at={at}").content.decode()
    answer = client.post(links(page)[0], form(), follow=True)
    assert answer.redirect_chain == [(f"/reviews/{review.quarter}/?state=all&at={at}", 302)]
    assert "Waived</b> until" in answer.content.decode()


def test_another_site_is_no_place_to_go_back_to(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    where = links(of_the_workload(client, chat))[0]
    for wrong in ("https://elsewhere.example/", "//elsewhere.example/", "reviews", "register:register"):
        answer = client.post(f"{where}?next={wrong}", form())
        assert answer.headers["Location"] == f"/workloads/{chat.pk}/?target={target().name}"


@pytest.mark.parametrize("number", [0, 2**63, 2**70])
def test_numbers_of_no_workload_or_target_are_not_found(
    cast: Cast, chat: Workload, client_of: ClientOf, number: int
) -> None:
    for pair in ((chat.pk, number), (number, target().pk)):
        address = reverse("reviews:waive", args=[*pair, "0" * 64])
        assert client_of(cast.architect).get(address).status_code == 404


@pytest.mark.parametrize("name", ["team", "rule", "state", "page"])
def test_an_address_that_says_nothing_that_can_be_finds_none(cast: Cast, client_of: ClientOf, name: str) -> None:
    for text in ("a\x00b", "9" * 30, "-1"):
        assert client_of(cast.viewer).get(reverse("reviews:waivers"), {name: text}).status_code == 200


def test_what_is_missing_is_said_at_its_field(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    where = links(of_the_workload(client, chat))[0]
    answer = client.post(where, {"reason": "Because.", "link": "nowhere", "ends": "2020-01-01"})
    page = answer.content.decode()
    assert answer.status_code == 422 and not Waiver.objects.exists()
    assert "Give a whole address" in page and "Because." in page
    late = client.post(where, {**form(), "ends": "2020-01-01"}).content.decode()
    assert "Give a day after today." in late


def test_a_rule_nobody_may_waive_is_not_offered(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    before = links(of_the_workload(client, chat))
    Organisation.objects.create(not_waivable=["IMG001"])
    kept.forget()
    assert len(links(of_the_workload(client, chat))) == len(before) - 1
    assert "may not be waived here" in client.get(before[0]).content.decode()
    assert client.post(before[0], form()).status_code == 422
    assert not Waiver.objects.exists()


def test_a_finding_that_is_gone_is_told_and_what_was_typed_shown(
    cast: Cast, chat: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    where = links(of_the_workload(client, chat))[0]
    revise(cast.member, chat, PLAIN)
    answer = client.post(where, form())
    assert answer.status_code == 409
    assert "is gone" in answer.content.decode() and "An image is built." in answer.content.decode()


def test_those_of_a_rule_nobody_may_waive_any_more_are_not_in_force(
    cast: Cast, chat: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    for where in links(of_the_workload(client, chat)):
        client.post(where, form())
    Organisation.objects.create(not_waivable=["IMG001"])
    kept.forget()
    page = client.get("/reviews/waivers/").content.decode()
    assert "1 in force" in page and "1 ending within 30 days" in page and "1 without effect" in page
    assert "0 ended or withdrawn" in page and "2 all" in page
    void = client.get("/reviews/waivers/?state=void").content.decode()
    assert "lets nobody waive this rule" in void and "Holds until" not in void


def test_the_list_tells_which_hold_and_why_others_do_not(cast: Cast, chat: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    for where in links(of_the_workload(client, chat)):
        client.post(where, form())
    page = client.get("/reviews/waivers/").content.decode()
    assert "2 in force" in page and "2 ending within 30 days" in page and "Holds until" in page
    assert "None." in client.get("/reviews/waivers/?state=ended").content.decode()
    assert "RES001" not in client.get("/reviews/waivers/?rule=IMG001").content.decode()
    assert "None." in client.get("/reviews/waivers/?team=media").content.decode()
    revise(cast.member, chat, PLAIN)
    page = client.get("/reviews/waivers/").content.decode()
    assert "0 in force" in page and "0 ending within 30 days" in page and "2 without effect" in page
    assert "Does not count" not in page
    void = client.get("/reviews/waivers/?state=void").content.decode()
    assert void.count("Does not count: what it was given for has changed") == 2
    client.post(reverse("reviews:withdraw", args=[Waiver.objects.all()[0].pk]))
    assert "1 ended or withdrawn" in client.get("/reviews/waivers/").content.decode()
    reader = client_of(cast.viewer).get("/reviews/waivers/?state=all").content.decode()
    assert "Withdrawn on" in reader and "<button>Withdraw" not in reader
