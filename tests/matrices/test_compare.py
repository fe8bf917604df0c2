"""Comparing: cell by cell, as a picture, and what publishing would move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.engine.matrices.knowledge import Cell
from portability.engine.matrices.knowledge import Release as Reading
from portability.matrices import effects
from portability.matrices.comparison import compare
from portability.matrices.effects import Cause, would_move
from portability.matrices.merged import merged
from portability.matrices.models import Release
from portability.matrices.pictures import grids
from portability.register.models import Assessment, Row, Run
from tests.conftest import Cast
from tests.matrices.keeping import LINUX, MIGRAPHX, POD, ROCM, draft, publish, redraft, target, work
from tests.matrices.test_publish import radeon, release, without_matrix
from tests.register.registering import register_workload

__all__ = ["without_matrix"]
database = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


def reading(**cells: str) -> Reading:
    """A reading of vLLM's features; `a_b` is the cell of a on b."""
    named = {f"hardware/{at.replace('_', '/')}": value for at, value in cells.items()}
    return Reading("vllm-features", "", date(2026, 8, 7), {key: Cell(key, value) for key, value in named.items()})


def test_cells_that_are_added_removed_and_changed() -> None:
    before = {"a": Cell("a", "1"), "b": Cell("b", "1"), "c": Cell("c", "1"), "d": Cell("d", "1")}
    after = {"e": Cell("e", "1"), "d": Cell("d", "1"), "b": Cell("b", "1", note="only"), "a": Cell("a", "2")}
    found = compare(before, after)
    assert [c.key for c in found.added] == ["e"]
    assert [c.key for c in found.removed] == ["c"]
    assert [(c.key, c.was, c.now, c.what) for c in found.changed] == [
        ("b", "1", "1 (only)", "note"),
        ("a", "1", "2", "value"),
    ]
    assert [c.key for c in found.valued] == ["a"] and [c.key for c in found.worded] == ["b"]
    assert bool(found) and not compare(before, dict(reversed(before.items())))


def test_keys_are_told_in_words() -> None:
    keys = ["os/mi300x/ubuntu/24.04.4", "driver/mi210", "framework/PyTorch/gfx942/2.9", "hardware/lora/AMD", "window/x"]
    assert [change.words for change in compare({}, {key: Cell(key, "1") for key in keys}).added] == [
        "Ubuntu 24.04.4 on MI300X",
        "driver of MI210",
        "PyTorch 2.9 on gfx942",
        "lora on AMD",
        "window/x",
    ]


def test_differences_are_marked_in_the_picture_and_said_to_who_hears_it() -> None:
    before = reading(lora_AMD="supported", lora_Hopper="supported", cp_AMD="supported")
    after = reading(lora_AMD="partial", lora_Hopper="supported", new_AMD="unsupported")
    (found,) = merged(grids(before), grids(after))
    assert found.grid.columns == ["AMD", "Hopper"]
    assert [row.head for row in found.grid.rows] == ["lora", "cp", "new"]
    boxes = {(r.head, c): b for r in found.grid.rows for c, b in zip(found.grid.columns, r.boxes, strict=True)}
    lora = boxes["lora", "AMD"]
    assert (lora.shown, lora.css, lora.words) == ("✓ → ◐", "p d", "differs: partial; before: supported")
    assert boxes["lora", "Hopper"].css == "y"
    assert boxes["cp", "AMD"].shown == "✓ → –" and "d" in boxes["cp", "AMD"].css
    assert boxes["new", "AMD"].shown == "– → ✕"
    assert found.differing == 5, "rows that only one reading has differ in every column"
    assert found.columns == ("AMD", "Hopper")
    (one,) = merged(grids(before), grids(reading(lora_AMD="partial", lora_Hopper="supported", cp_AMD="supported")))
    assert one.columns == ("AMD",)
    assert found.grid.signed


def test_the_same_picture_has_no_marks() -> None:
    same = grids(reading(lora_AMD="supported"))
    (found,) = merged(same, same)
    assert (found.differing, found.grid) == (0, same[0])


@pytest.mark.django_db
@pytest.mark.database
def test_what_it_would_move_with_the_cell_that_causes_it(cast: Cast, without_matrix: None) -> None:
    following = target("radeon-newest", "rx9070xt", "newest")
    publish(cast.curator, radeon("7.14.0", {"MIGraphX/gfx942/2.16": LINUX}))
    classifier = register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    register_workload(cast.search, "chat", declared={"model_kind": "decoder-only"})
    draft_ = radeon("10.0.0", {"MIGraphX/gfx942/2.17": LINUX, "MIGraphX/gfx1201/2.17": LINUX})
    before = (Assessment.objects.count(), Run.objects.count(), Entry.objects.count(), list(Row.objects.values()))
    found = would_move(draft_)
    assert before == (
        Assessment.objects.count(),
        Run.objects.count(),
        Entry.objects.count(),
        list(Row.objects.values()),
    )
    assert (found.stale, found.workloads, found.looked_at) == (2, 2, 2)
    (moved,) = found.moved
    assert (moved.workload, moved.target, moved.before.value) == (classifier, following, "pinned")
    assert Cause("framework/MIGraphX/gfx1201/*", "not listed", LINUX) in moved.causes

    publish(cast.curator, draft_)
    was = dict(Row.objects.values_list("pk", "verdict"))
    work()
    now = {row.pk: row for row in Row.objects.all()}
    assert {now[pk].workload_id: now[pk].verdict for pk in was if now[pk].verdict != was[pk]} == {
        moved.workload.pk: moved.after.value
    }, "what was foretold is what happens"


@pytest.mark.django_db
@pytest.mark.database
def test_targets_of_a_workload_that_move_alike_are_one_row(cast: Cast, without_matrix: None) -> None:
    both = [target(name, "rx9070xt", "newest") for name in ("one", "two")]
    publish(cast.curator, radeon("7.14.0", {"MIGraphX/gfx942/2.16": LINUX}))
    classifier = register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    found = would_move(radeon("10.0.0", {"MIGraphX/gfx942/2.17": LINUX, "MIGraphX/gfx1201/2.17": LINUX}))
    assert len(found.moved) == 2
    (row,) = found.rows
    assert (row.workload, list(row.targets)) == (classifier, both)
    assert (row.before, row.after, row.causes) == tuple(
        getattr(found.moved[0], name) for name in ("before", "after", "causes")
    )


@pytest.mark.django_db
@pytest.mark.database
def test_cells_of_the_same_value_are_counted_apart(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    made = redraft(release("7.14.0"), {"driver/mi300x": "31.99.0"})
    made.cells.filter(key="driver/mi210").update(note="in other words")
    text = client_of(cast.viewer).get(reverse("matrices:release", args=[made.pk])).content.decode()
    assert "<summary>1 cell changed</summary>" in text
    assert "<summary>1 cell changed only in notes or links</summary>" in text
    assert "Published: </span>" in text and "Draft: </span>31.99.0" in text, "each value says whose it is"


@pytest.mark.django_db
@pytest.mark.database
def test_what_moves_nothing_and_what_is_bounded(cast: Cast, without_matrix: None) -> None:
    target("one", "mi300x", "7.14.0")
    publish(cast.curator, draft("7.14.0", {"part/mi300x/gfx": "gfx942", "driver/mi300x": "31.40.1"}))
    for n in range(3):
        register_workload(cast.search, f"chat-{n}")
    assert would_move(redraft(release("7.14.0"))) == effects.Moves()
    assert would_move(redraft(release("7.14.0"), {"part/mi300x/gfx": "gfx942"})).stale == 0
    with mock.patch.object(effects, "LOOKED_AT", 2):
        found = would_move(redraft(release("7.14.0"), {"driver/mi300x": "1.0"}))
    assert (found.stale, found.workloads, found.looked_at) == (3, 3, 2)


@pytest.mark.django_db
@pytest.mark.database
def test_a_draft_has_its_comparison_as_a_page_for_everyone(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    register_workload(cast.search, "chat", declared={"model_kind": "decoder-only"})
    made = redraft(release("7.14.0"), {"driver/mi300x": "31.99.0"}, without="driver/mi210")
    url = reverse("matrices:release", args=[made.pk])
    text = client_of(cast.viewer).get(url).content.decode()
    for words in ("1 cell changed", "1 cell removed", "driver of MI300X", "31.99.0", "consulted a cell that differs"):
        assert words in text
    assert "Nothing rests on a draft until it is published." in text
    assert 'class="x d"' in text or 'class="y d"' in text
    assert "Publish</button>" not in text
    assert "Publish</button>" in client_of(cast.curator).get(url).content.decode()
    page = client_of(cast.viewer).get(reverse("matrices:matrices")).content.decode()
    assert url in page and "Not published yet" in page


@pytest.mark.django_db
@pytest.mark.database
def test_a_new_version_is_compared_with_the_newest_published(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    made = draft("11.0.0", {c.key: c.value for c in release("10.0.0").cells.all()})
    text = client_of(cast.viewer).get(reverse("matrices:release", args=[made.pk])).content.decode()
    assert "it is compared with the newest" in text and "which stays published" in text
    assert reverse("matrices:release", args=[release("10.0.0").pk]) in text


@pytest.mark.django_db
@pytest.mark.database
def test_a_sources_page_has_all_its_readings(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    old = release("7.14.0")
    publish(cast.curator, redraft(old))
    mine = redraft(release("10.0.0"))
    text = client_of(cast.viewer).get(reverse("matrices:source", args=[ROCM])).content.decode()
    for each in (old, mine, release("7.14.0"), release("7.12.0")):
        assert reverse("matrices:release", args=[each.pk]) in text
    for words in ("superseded", "draft", "published by curator", "90 days after a reading", "20 November 2026"):
        assert words in text
    assert "Read a document" not in text
    assert "Superseded" in client_of(cast.viewer).get(reverse("matrices:release", args=[old.pk])).content.decode()
    assert Release.objects.get(pk=old.pk).cells.exists(), "older releases stay readable"
    assert client_of(cast.viewer).get(reverse("matrices:source", args=["no-such"])).status_code == 404
