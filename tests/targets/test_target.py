"""The page of a target: what it is, what is found about it, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.register.models import Run
from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]


def page(client: Client, name: str) -> str:
    """The page's text."""
    response = client.get(reverse("targets:target", args=[name]))
    assert response.status_code == 200
    return str(response.content.decode())


def test_everyone_reads_it_and_only_a_curator_is_offered_the_buttons(cast: Cast, client_of: ClientOf) -> None:
    for person in (cast.viewer, cast.member, cast.architect, cast.administrator):
        assert "Deactivate" not in page(client_of(person), "h100")
    assert "Deactivate" in page(client_of(cast.curator), "h100")


def test_it_says_what_the_target_is(cast: Cast, client_of: ClientOf) -> None:
    text = page(client_of(cast.viewer), "mi300x-single")
    for words in (
        "AMD MI300X, 8 a node",
        "Ubuntu 24.04.4, kernel 6.8",
        "ROCm 7.14.0, amdgpu 31.40.1",
        "Kubernetes 1.33",
    ):
        assert words in text


def test_a_finding_about_the_target_stands_with_its_reason_remedy_and_evidence(cast: Cast, client_of: ClientOf) -> None:
    """MI350P is listed for Ubuntu 24.04.4 and 26.04, not for 22.04.5, although its series is."""
    text = page(client_of(cast.viewer), "mi350p-jammy")
    assert "PLT001" in text
    assert "os/mi350p/ubuntu/22.04.5" in text
    assert "read 7 August 2026" in text


def test_it_links_to_the_readings_it_rests_on(cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.viewer).get(reverse("targets:target", args=["mi300x-single"]))
    releases = [reading.release for reading in response.context["releases"]]
    named = {(r.source_id, r.version) for r in releases}
    assert ("rocm-compatibility-matrix", "7.14.0") in named
    assert not any(version == "10.0.0" for _, version in named)
    for release in releases:
        assert reverse("matrices:release", args=[release.pk]) in response.content.decode()


def test_the_platform_of_an_nvidia_target_is_not_judged_and_it_says_so(cast: Cast, client_of: ClientOf) -> None:
    text = page(client_of(cast.viewer), "h100")
    assert "Platform not judged" in text
    assert '<li class="sub">platform not judged</li></ul>' in text, "beside the counts, too"
    assert "Nothing stands against this target" not in text


def test_a_reading_that_is_overdue_says_by_how_much(
    cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(cast.viewer)
    for today, said in (
        (date(2026, 11, 5), ""),
        (date(2026, 11, 6), "overdue 1 day<"),
        (date(2026, 11, 30), "25 days"),
    ):
        monkeypatch.setattr(timezone, "localdate", lambda *_, today=today: today)
        text = page(client, "mi300x-single").split("What that rests on")[1]
        assert ("overdue" in text) == bool(said) and said in text


def test_counts_from_before_an_edit_say_so_and_lead_to_the_run(cast: Cast, client_of: ClientOf) -> None:
    register_workload(cast.search, "chat")
    client = client_of(cast.viewer)
    assert "assessed again" not in page(client, "mi300x-single")
    Target.objects.filter(name="mi300x-single").update(version=7)
    assert "1 out of date</a>, and no re-evaluation is under way" in page(client, "mi300x-single")
    run = Run.objects.create(cause="target", about="a test", total=3, done=1)
    text = page(client, "mi300x-single")
    assert f'being assessed again: <a href="{reverse("register:run", args=[run.pk])}">1 of 3 done</a>' in text
    assert "assessed again" not in page(client, "h100"), "whose counts are not from before anything"


def test_an_inactive_target_says_so(cast: Cast, client_of: ClientOf) -> None:
    Target.objects.filter(name="h100").update(active=False)
    assert "workloads are not assessed for it" in page(client_of(cast.viewer), "h100")


def test_an_unknown_target_is_not_found(cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.viewer).get(reverse("targets:target", args=["nowhere"])).status_code == 404


def test_it_takes_few_queries(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(cast.viewer)
    page(client, "mi300x-single")
    with django_assert_max_num_queries(15):
        page(client, "mi300x-single")
