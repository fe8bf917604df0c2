"""The page of what is known: ages, disputes, what verdicts rest on, and versions that nobody read."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.matrices.models import Look, Release, Source
from portability.matrices.overview import overview
from portability.register.models import Row
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.matrices.keeping import DAY, MIGRAPHX, POD, ROCM, publish, redraft, target, work
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
TODAY = date(2026, 11, 30)
PAGE = "matrices:knowledge"


def test_what_is_most_overdue_comes_first() -> None:
    Source.objects.filter(pk="vllm-features").update(due=date(2026, 8, 10))
    found = overview(TODAY)
    assert found.ages[0].source.pk == "vllm-features"
    late = [line.overdue for line in found.ages]
    assert late == sorted(late, reverse=True) and late[-1] == 0
    assert found.overdue == sum(1 for days in late if days)


def test_a_dispute_has_both_answers_and_leads_to_what_rests_on_it(cast: Cast, client_of: ClientOf) -> None:
    chat = register_workload(cast.search, "chat", declared={"model_kind": "decoder-only"})
    Workload.objects.filter(pk=chat.pk).update(engine="vllm")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    by_engine = next(d for d in overview(TODAY).disputes if "vLLM's installation page lists it" in d.finding.reason)
    assert {e.title for e in by_engine.finding.evidence} == {"ROCm compatibility matrix", "vLLM installation on GPUs"}
    assert all(e.read and e.page for e in by_engine.finding.evidence)
    assert [(each.target, each.workloads) for each in by_engine.on] == [("mi210-single", 1)]
    client = client_of(cast.viewer)
    text = client.get(by_engine.on[0].address).content.decode()
    assert "chat" in text and "classifier" not in text


def test_a_dispute_about_a_target_is_everybodys_on_it(cast: Cast, client_of: ClientOf) -> None:
    made = target("old-driver", "mi350p", "7.14.0")
    made.spec |= {"amdgpu": "30.20.0", "operator": "1.5.1"}
    made.save()
    register_workload(cast.search, "chat")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    asks = [d for d in overview(TODAY).disputes if "old-driver" in {each.target for each in d.on}]
    assert asks and "30.20.0" in asks[0].finding.reason
    (counted,) = [each for each in asks[0].on if each.target == "old-driver"]
    assert counted.workloads == Row.objects.filter(target=made, rules__contains="|KNO003|").count() == 2
    client = client_of(cast.viewer)
    text = html.unescape(client.get(reverse(PAGE)).content.decode())
    assert asks[0].finding.reason in text and counted.address in text
    listed = client.get(counted.address).content.decode()
    assert "chat" in listed and "classifier" in listed


def test_readings_that_verdicts_rest_on_are_counted_by_target(cast: Cast, client_of: ClientOf) -> None:
    register_workload(cast.search, "chat")
    register_workload(cast.search, "retired")
    Workload.objects.filter(name="retired").update(retired_at=timezone.now())
    found = {(r.title, r.version): r for r in overview(TODAY).resting}
    matrix = found["ROCm compatibility matrix", "7.14.0"]
    names = {each.target for each in matrix.on}
    assert "mi300x-single" in names and not names & {"mi300x-newest", "h100"}
    assert all(each.workloads == 1 for each in matrix.on)
    assert matrix.assessments == len(matrix.on)
    assert [r.read for r in overview(TODAY).resting] == sorted(r.read for r in overview(TODAY).resting)
    client = client_of(cast.viewer)
    for each in matrix.on:
        assert "chat" in client.get(each.address).content.decode()
    elsewhere = client.get(reverse("register:register"), {"target": "h100", "rests": f"{ROCM}:7.14.0"})
    assert "chat" not in re.sub(r"(?s)<form.*?</form>", "", elsewhere.content.decode())


def test_a_reading_repeated_without_news_is_named_beside_the_day_that_counts(cast: Cast) -> None:
    register_workload(cast.search, "chat")
    used = Release.objects.get(source=ROCM, version="7.14.0", state="published")
    assert publish(cast.curator, redraft(used)).run is None
    matrix = next(r for r in overview(TODAY).resting if (r.title, r.version) == ("ROCm compatibility matrix", "7.14.0"))
    assert (matrix.read, matrix.newer) == (used.read, DAY)
    assert matrix.page == reverse("matrices:release", args=[used.pk])


def test_a_version_that_nobody_read_is_named_with_the_nearest(cast: Cast, client_of: ClientOf) -> None:
    target("ahead", "mi300x", "8.8.0")
    Target.objects.filter(name="mi300x-single").update(active=False)
    assert [(u.target, u.version, u.nearest) for u in overview(TODAY).unread] == [("ahead", "8.8.0", "7.14.0")]
    text = client_of(cast.curator).get(reverse(PAGE)).content.decode()
    assert f"{reverse('matrices:read')}?source={ROCM}&amp;version=8.8.0" in text
    assert "?source=" not in client_of(cast.viewer).get(reverse(PAGE)).content.decode()


def test_what_a_look_found_is_told(cast: Cast, client_of: ClientOf) -> None:
    now = timezone.now()
    moved = {"looked_at": now, "since": now - timedelta(days=2), "found": "moved", "said": "It redirects elsewhere."}
    Look.objects.create(source_id="vllm-features", **moved)
    Look.objects.create(source_id=ROCM, **(moved | {"found": "unchanged", "said": "Its text is that of the page."}))
    assert [line.source.pk for line in overview(TODAY).looks] == ["vllm-features"]
    assert "It redirects elsewhere." in client_of(cast.viewer).get(reverse(PAGE)).content.decode()


def test_it_takes_as_many_queries_for_many_workloads_as_for_one(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(cast.viewer)
    register_workload(cast.search, "chat")
    client.get(reverse(PAGE))
    with django_assert_max_num_queries(12):
        client.get(reverse(PAGE))
    for n in range(3):
        register_workload(cast.search, f"chat-{n}", image=f"vllm/vllm-openai:v0.2{n}.0")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    work()
    client.get(reverse(PAGE))
    with django_assert_max_num_queries(12):
        client.get(reverse(PAGE))


def test_an_empty_register_says_so(cast: Cast, client_of: ClientOf) -> None:
    text = client_of(cast.viewer).get(reverse(PAGE)).content.decode()
    assert "No workload is assessed yet." in text
    Source.objects.filter(releases=None).delete()
    Target.objects.update(active=False)
    text = client_of(cast.viewer).get(reverse(PAGE)).content.decode()
    assert "No two sources disagree on an active target." in text
    assert "Every version that an active target names was read." in text
