"""A rule is tried over the register before it judges: what it would hit and change, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.engine.custom_rules.rule import CustomRule as EngineRule
from portability.engine.model import Effect
from portability.rules.custom import trial as trials
from portability.rules.custom.standing import engine_rule
from portability.rules.custom.trial import try_rule
from portability.rules.models import RevisionTree
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import make_target
from tests.rules.custom import BOMB, MOVABLE, VALUES, enable, work, workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def rule(**more: Any) -> EngineRule:
    """The rule that hits workloads of more than two replicas."""
    return EngineRule(**{**VALUES, "id": "", "effect": Effect.BLOCKS, **more})


def test_it_says_which_workloads_are_hit_where_and_what_becomes_of_them(cast: Cast, few: Target) -> None:
    tried = try_rule(cast.administrator, rule())
    assert (tried.target, tried.total, tried.looked, tried.moved) == (few, 2, 2, 1)
    (hit,) = tried.hits
    assert (hit.workload.name, hit.before, hit.after, hit.moves) == ("three", "needs-change", "pinned", True)
    assert [(place.where, place.value) for place in hit.places] == [("serving.yaml:5", "3")]
    assert tried.may_enable
    assert tried.slowest is not None


def test_a_note_moves_nothing(cast: Cast, few: Target) -> None:
    tried = try_rule(cast.curator, rule(effect=Effect.NOTE))
    assert len(tried.hits) == 1
    assert tried.moved == 0


def test_nothing_is_written(cast: Cast, few: Target) -> None:
    def everything() -> dict[str, int]:
        return {m.__name__: m._default_manager.count() for m in apps.get_models()}

    before = everything()
    try_rule(cast.curator, rule())
    assert everything() == before
    assert not RevisionTree.objects.exists()


def test_an_enabled_rule_is_compared_with_what_it_finds_now(cast: Cast, few: Target) -> None:
    stored = enable(cast.curator, effect="blocks")
    work()
    now = engine_rule(stored)
    same = try_rule(cast.curator, now)
    assert [(h.workload.name, h.before, h.after) for h in same.hits] == [("three", "pinned", "pinned")]
    other = try_rule(cast.curator, rule(id="ORG001", condition="value > 9"))
    assert other.hits == []
    assert [(h.workload.name, h.before, h.after) for h in other.freed] == [("three", "pinned", "needs-change")]
    assert other.moved == 1


def test_what_cannot_be_told_is_counted(cast: Cast, few: Target) -> None:
    tried = try_rule(cast.curator, rule(path="$", condition="document.nothing.here == 1"))
    assert dict(tried.unanswered) == {"there is no such field": 2}
    assert tried.may_enable


def test_a_rule_that_would_be_switched_off_may_not_be_enabled(cast: Cast, few: Target) -> None:
    tried = try_rule(cast.curator, rule(condition=BOMB))
    assert [(w.name, why) for w, why in tried.faults] == [
        ("three", "it takes more than 100,000 steps"),
        ("two", "it takes more than 100,000 steps"),
    ]
    assert not tried.may_enable


def test_a_slow_one_neither(cast: Cast, few: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "SLOW", 0.0)
    tried = try_rule(cast.curator, rule())
    assert tried.slow
    assert not tried.may_enable


def test_the_whole_is_bounded_and_says_how_far_it_came(cast: Cast, few: Target) -> None:
    tried = try_rule(cast.curator, rule(), seconds=0)
    assert (tried.looked, tried.total) == (0, 2)


def test_retired_workloads_are_not_tried(cast: Cast, few: Target) -> None:
    Workload.objects.filter(name="three").update(retired_at="2026-11-30T00:00:00Z")
    assert try_rule(cast.curator, rule()).hits == []


def test_manifest_text_is_shown_to_those_who_may_read_it(cast: Cast, few: Target) -> None:
    workload(cast.search, "talks", text=MOVABLE.format(name="talks", replicas=1) + "say: two words\n")
    asked = rule(path="$.say", condition="true")
    hidden = try_rule(cast.curator, asked).hits[0]
    assert [(p.where, p.value) for p in hidden.places] == [("serving.yaml:11", "")]
    shown = try_rule(cast.administrator, asked).hits[0]
    assert [(p.where, p.value) for p in shown.places] == [("serving.yaml:11", "two words")]


def test_it_is_tried_for_a_target_it_is_for(cast: Cast, few: Target) -> None:
    other = make_target("h100", default=False)
    other.vendor, other.spec = "nvidia", {"name": "h100", "vendor": "nvidia", "part": "h100"}
    other.save()
    tried = try_rule(cast.curator, rule(applies_to="nvidia"))
    assert tried.target == other
    assert [h.before for h in tried.hits] == [""]  # not judged for it yet
    assert try_rule(cast.curator, rule(), "h100").target == other
    assert try_rule(cast.curator, rule(applies_to="nvidia"), few.name).target == other
    Target.objects.update(active=False)
    nothing = try_rule(cast.curator, rule())
    assert (nothing.target, nothing.looked, nothing.may_enable) == (None, 0, True)


def test_what_would_become_movable_comes_first_and_is_said(
    cast: Cast, few: Target, client_of: Callable[[Person | None], Client]
) -> None:
    """A rule that is made narrower sets workloads free: nobody may miss which."""
    nvidia = {"name": "h100", "vendor": "nvidia", "part": "h100"}
    Target.objects.create(name="h100", vendor="nvidia", spec=nvidia)
    stored = enable(cast.curator, condition="value > 1", applies_to="nvidia")
    work()
    tried = try_rule(cast.curator, replace(engine_rule(stored), condition="value > 2"))
    assert [(h.workload.name, h.after, h.freed) for h in tried.shown] == [
        ("two", "movable", True),
        ("three", "needs-change", False),
    ]
    assert (tried.moved, tried.movable, tried.listed) == (1, 1, 2)
    sent = VALUES | {"version": "1", "act": "try", "applies_to": "nvidia"}
    page = client_of(cast.curator).post("/rules/custom/1/edit/", sent).content.decode()
    assert "1 that it hits now would be hit no more" in page and "<b>1 would become movable</b>" in page


def test_what_is_not_assessed_stays_so_whatever_a_rule_would_find(cast: Cast, few: Target) -> None:
    workload(cast.search, "broken", text=MOVABLE.format(name="broken", replicas=3) + "---\n{{ if }}\n")
    (broken, _) = try_rule(cast.curator, rule(effect=Effect.CHANGE)).hits
    assert (broken.before, broken.after) == ("not-assessed", "not-assessed")
    assert try_rule(cast.curator, rule(effect=Effect.BLOCKS)).hits[0].after == "pinned"


def test_it_asks_no_more_of_the_database_for_more_workloads(
    cast: Cast, few: Target, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(8):
        workload(cast.search, f"more-{n}", 3)
    with CaptureQueriesContext(connection) as first:
        try_rule(cast.curator, rule())
    for n in range(8, 20):
        workload(cast.search, f"more-{n}", 3)
    with django_assert_max_num_queries(len(first)):
        assert len(try_rule(cast.curator, rule()).hits) == 21
