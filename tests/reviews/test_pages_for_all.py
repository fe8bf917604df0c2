"""Waiving on the target's page, or from a workload's inherited finding; what pages and lists say of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.organisation import kept
from portability.organisation.models import Organisation
from portability.reviews.actions import open_review
from portability.reviews.models import Unsettled, Waiver
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.for_all import JAMMY, READY, SAYS, jammy, mark_of, waived_for_all
from tests.reviews.making import Q4, SERVING, TODAY, choose_target, entry_of, register, waived

pytestmark = [pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
OF_TARGET = f"/targets/{JAMMY}/"


@pytest.fixture
def ready(cast: Cast, shipped: None) -> Workload:
    """A workload that needs change for the target only because of the target, and another one."""
    choose_target(name=JAMMY)
    register(cast.member, cast.search, "other", READY, **SAYS)
    return register(cast.member, cast.search, "ready", READY, **SAYS)


def read(client: Client, address: str) -> str:
    """A page as text."""
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def links(page: str) -> list[tuple[str, str]]:
    """Where something may be waived for all workloads, and in which words."""
    found = re.findall(r'href="(/reviews/waive-for-all/[^"]+)">([^<]+)', page)
    return [(unescape(address), words) for address, words in found]


def withdrawal(page: str) -> str:
    """Where the form goes that withdraws the only waiver; it has the token without which it is refused."""
    [address] = re.findall(r'action="(/reviews/waivers/[^"]+)"><input type="hidden" name="csrfmiddlewaretoken"', page)
    return unescape(address)


def of_workload(workload: Workload) -> str:
    """The workload's page for the target."""
    return f"/workloads/{workload.pk}/?target={JAMMY}"


def form() -> dict[str, str]:
    """What an architect types."""
    ends = timezone.localdate() + timedelta(days=20)
    return {"reason": "Supported by contract.", "link": "https://tickets.example/1", "ends": ends.isoformat()}


def test_from_the_targets_page_and_back(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    [(address, words)] = links(read(client, OF_TARGET))
    assert words == "Waive on the target, for all 2 workloads…", "notes are not waived"
    page = read(client, address)
    assert "PLT001" in page and "all 2 workloads that are judged for" in page
    answer = client.post(address, form(), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [(OF_TARGET, 302)]
    assert re.search(rf"PLT001 of {JAMMY} is waived until [^.]+, for all workloads\.", page)
    assert "on the target, for all workloads,</b>" not in page and "Supported by contract." in page
    assert links(page) == []
    assert re.search(r"Decided verdict: .*Movable", read(client, of_workload(ready)), re.S)
    answer = client.post(withdrawal(page), follow=True)
    assert answer.redirect_chain == [(OF_TARGET, 302)]
    page = answer.content.decode()
    assert f"The waiver of PLT001 of {JAMMY}, for all workloads, is withdrawn." in unescape(page)
    assert "Waived before, for all workloads" in page and len(links(page)) == 1
    assert "Decided verdict" not in read(client, of_workload(ready))


def test_from_a_workloads_inherited_finding_and_back(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    page = read(client, of_workload(ready))
    assert f"/reviews/waive/{ready.pk}/" not in page, "it is offered for no single workload"
    [(address, words)] = links(page)
    assert words == "Waive on the target, for all 2 workloads…"
    answer = client.post(address, form(), follow=True)
    assert answer.redirect_chain == [(of_workload(ready), 302)]
    page = answer.content.decode()
    assert "<b>Waived</b> on the target, for all workloads, until" in page
    assert "Withdraw the waiver for all workloads" in page
    assert client.post(withdrawal(page), follow=True).redirect_chain == [(of_workload(ready), 302)]


def test_from_an_entry_of_the_review(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    review = open_review(cast.architect, Q4, TODAY)
    client = client_of(cast.architect)
    here = f"/reviews/{review.quarter}/?state=all&at={entry_of(review, ready).pk}"
    [(address, words)] = links(read(client, here))
    assert words.endswith("on the target, for all workloads")
    answer = client.post(address, form(), follow=True)
    assert answer.redirect_chain == [(here, 302)]
    assert "<b>Waived</b> for all workloads until" in answer.content.decode()


def test_only_architects_are_offered_it(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    address = reverse("reviews:waive_for_all", args=[jammy().pk, mark_of("PLT001")])
    waived_for_all(cast.architect)
    for person in (cast.viewer, cast.member, cast.curator, cast.administrator):
        client = client_of(person)
        for page in (read(client, OF_TARGET), read(client, of_workload(ready))):
            assert "Waived</b> on the target, for all workloads," in page and not links(page)
            assert "Withdraw" not in page
        assert client.get(address).status_code == client.post(address, form()).status_code == 403
    assert Waiver.objects.count() == 1


def test_a_rule_nobody_may_waive_and_a_retired_workload_offer_nothing(
    cast: Cast, ready: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    [(address, _)] = links(read(client, OF_TARGET))
    retire(cast.member, ready.pk, "replaced")
    assert links(read(client, OF_TARGET))[0][1] == "Waive on the target, for the only workload…"
    assert not links(read(client, of_workload(ready)))
    Organisation.objects.create(not_waivable=["PLT001"])
    kept.forget()
    assert not links(read(client, OF_TARGET))
    assert "may not be waived here" in read(client, address)
    assert client.post(address, form()).status_code == 422 and not Waiver.objects.exists()


def test_what_is_gone_is_told_and_what_was_typed_shown(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    answer = client_of(cast.architect).post(reverse("reviews:waive_for_all", args=[jammy().pk, "0" * 64]), form())
    page = answer.content.decode()
    assert answer.status_code == 409 and "Supported by contract." in page and f'href="{OF_TARGET}"' in page


@pytest.mark.parametrize("number", [0, 2**63, 2**70])
def test_numbers_of_no_target_are_not_found(cast: Cast, client_of: ClientOf, number: int) -> None:
    address = reverse("reviews:waive_for_all", args=[number, "0" * 64])
    assert client_of(cast.architect).get(address).status_code == 404


def test_an_old_address_of_a_single_workload_leads_to_the_target(
    cast: Cast, ready: Workload, client_of: ClientOf
) -> None:
    client = client_of(cast.architect)
    address = reverse("reviews:waive", args=[ready.pk, jammy().pk, mark_of("PLT001")])
    assert [words for _, words in links(read(client, address))] == ["Waive it on the target, for all workloads"]
    assert client.post(address, form()).status_code == 422
    assert not Waiver.objects.exists()


def test_the_list_says_all_workloads_whatever_the_team(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    waiver = waived_for_all(cast.architect)
    client = client_of(cast.architect)
    page = read(client, "/reviews/waivers/?team=search&rule=PLT001")
    assert f'All workloads <span class="sub">for <a href="{OF_TARGET}">{JAMMY}</a>' in page
    assert "1 in force" in page and "Holds until 31 March 2027" in page
    client.post(f"/reviews/waivers/{waiver.pk}/withdraw/")
    assert "All workloads" not in read(client, "/reviews/waivers/")
    assert "Withdrawn on" in read(client_of(cast.viewer), "/reviews/waivers/?state=ended")


def test_the_list_says_where_the_cause_of_one_changed(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    waived_for_all(cast.architect)
    target = jammy()
    target.spec = target.spec | {"os": target.spec["os"] | {"version": "22.04.4"}}
    target.save()
    page = read(client_of(cast.viewer), "/reviews/waivers/")
    assert "0 in force" in page and "1 without effect" in page
    page = read(client_of(cast.viewer), "/reviews/waivers/?state=void")
    assert "Does not count: what it was given for has changed" in page


def test_the_list_takes_as_many_queries_for_more_of_a_target(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    waived_for_all(cast.architect)
    read(client, "/reviews/waivers/")

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            read(client, "/reviews/waivers/?state=all")
        return len(asked)

    one = queries()
    for _ in range(3):
        Waiver.objects.filter(withdrawn_at=None).update(withdrawn_at=timezone.now(), withdrawn_by=cast.architect)
        waived_for_all(cast.architect)
    assert queries() == one


def test_the_targets_page_says_how_far_it_is(cast: Cast, ready: Workload, client_of: ClientOf) -> None:
    waived_for_all(cast.architect)
    assert "being worked out" not in read(client_of(cast.viewer), OF_TARGET)
    Unsettled.objects.create(target=jammy(), after=ready.pk - 1)
    assert "being worked out: 1 of 2 done" in read(client_of(cast.viewer), OF_TARGET)


def test_places_are_shown_as_manifests_have_them(cast: Cast, client_of: ClientOf) -> None:
    """What was stored long ago has the escapes of a pointer."""
    choose_target(name=JAMMY)
    workload = register(cast.member, cast.search, "old", SERVING)
    review = open_review(cast.architect, Q4, TODAY)
    entry = entry_of(review, workload)
    waiver = waived(cast.architect, entry, "RES001")
    path = "Deployment serving, spec/template/spec/containers[vllm]/resources/limits/nvidia.com~1gpu"
    Waiver.objects.filter(pk=waiver.pk).update(where=path)
    client = client_of(cast.viewer)
    for address in ("/reviews/waivers/", f"/reviews/{review.quarter}/?state=all&at={entry.pk}"):
        page = read(client, address)
        assert "limits/nvidia.com/gpu" in page and "~1" not in page
