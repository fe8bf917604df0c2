"""Publishing: what it supersedes, what it makes out of date and judges again, and who is told that they were late."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import connections
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import actions
from portability.matrices.actions import load_shipped
from portability.matrices.drafts import Refused
from portability.matrices.models import Release
from portability.matrices.queries import knowledge
from portability.register import queries as register
from portability.register.models import Assessment, Batch, Row, Run
from portability.targets.models import Target
from tests.conftest import Cast
from tests.matrices.keeping import DAY, LINUX, MIGRAPHX, POD, ROCM, draft, post, publish, redraft, target, verdict, work
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
shipped = pytest.mark.usefixtures("shipped")


def release(version: str) -> Release:
    """The published reading of a version of AMD's matrix."""
    return Release.objects.get(source=ROCM, version=version, state="published")


def radeon(version: str, frameworks: dict[str, str]) -> Release:
    """A small matrix that lists a Radeon part, and these frameworks."""
    part = {"part/rx9070xt/gfx": "gfx1201", "os/rx9070xt/ubuntu/24.04.4": "6.8", "driver/rx9070xt": "31.40.1"}
    return draft(version, part | {f"framework/{at}": value for at, value in frameworks.items()})


@pytest.fixture
def without_matrix(shipped: None) -> None:
    """Everything that ships but AMD's matrix and targets, so that tests publish their own."""
    Release.objects.filter(source=ROCM).delete()
    Target.objects.update(active=False)


def test_migraphx_on_a_radeon_part_follows_the_newest_release(cast: Cast, without_matrix: None) -> None:
    following = target("radeon-newest", "rx9070xt", "newest")
    fixed = target("radeon-7-12", "rx9070xt", "7.12.0")
    publish(cast.curator, radeon("7.12.0", {"PyTorch/gfx1201/2.9": LINUX}))
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    unknown = ("needs-change", ["confirm"])
    assert (verdict(following, "classifier"), verdict(fixed, "classifier")) == (unknown, unknown)

    done = publish(cast.curator, radeon("7.14.0", {"PyTorch/gfx1201/2.9": LINUX, "MIGraphX/gfx942/2.16": LINUX}))
    assert done.superseded is None, "another version supersedes nothing"
    assert done.run is not None
    assert [tuple(pair) for batch in done.run.batches.all() for pair in batch.pairs] == [
        (Row.objects.get(target=following).workload_id, following.pk)
    ]
    work()
    assert verdict(following, "classifier") == ("pinned", ["blocks"])
    assert verdict(fixed, "classifier") == unknown

    publish(cast.curator, radeon("10.0.0", {"MIGraphX/gfx942/2.17": LINUX, "MIGraphX/gfx1201/2.17": LINUX}))
    work()
    own, effects = verdict(following, "classifier")
    assert own != "pinned" and "blocks" not in effects and "confirm" not in effects
    assert verdict(fixed, "classifier") == unknown
    assert Assessment.objects.filter(target=fixed).count() == 1, "a target that names a version is never judged again"
    assert sorted(Release.objects.filter(source=ROCM, state="published").values_list("version", flat=True)) == [
        "10.0.0",
        "7.12.0",
        "7.14.0",
    ]


def test_one_cell_that_differs_judges_again_exactly_what_consulted_it(cast: Cast, without_matrix: None) -> None:
    """Three workloads for two parts: only the engine that the cell is about, on the part that it is about."""
    cells = {"part/mi300x/gfx": "gfx942", "part/mi210/gfx": "gfx90a"}
    offers = {f"framework/{n}/{gfx}/1": LINUX for n in ("vLLM", "MIGraphX") for gfx in ("gfx942", "gfx90a")}
    drivers = {"driver/mi300x": "31.40.1", "driver/mi210": "31.40.1"}
    publish(cast.curator, draft("7.14.0", cells | offers | drivers))
    one, other = target("one", "mi300x", "7.14.0"), target("other", "mi210", "7.14.0")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    register_workload(cast.search, "chat", declared={"model_kind": "decoder-only"})
    register_workload(cast.search, "chat-too", declared={"model_kind": "decoder-only"})
    before = dict(Row.objects.values_list("pk", "assessment"))
    assert len(before) == 6 and register.outdated_pairs() == []

    done = publish(cast.curator, redraft(release("7.14.0"), {"driver/mi210": "31.50.0"}, read=DAY + timedelta(days=1)))
    wanted = sorted(Row.objects.filter(target=other).values_list("workload_id", "target_id"))
    assert done.run is not None
    assert (done.run.total, done.run.cause, done.run.started_by) == (3, "matrix", cast.curator)
    assert done.run.about == "ROCm compatibility matrix 7.14.0, read 21 November 2026, was published"
    assert [tuple(pair) for batch in Batch.objects.all() for pair in batch.pairs] == wanted
    assert register.outdated_pairs() == wanted, "marked from that moment, not once the run comes to them"
    work()
    assert register.outdated_pairs() == []

    again = redraft(release("7.14.0"), {"framework/MIGraphX/gfx942/1": "rhel"}, read=DAY + timedelta(days=2))
    done = publish(cast.curator, again)
    assert done.run is not None
    touched = set(Row.objects.filter(workload__name="classifier").values_list("target", flat=True))
    assert done.run.total == 2 and touched == {one.pk, other.pk}, "the rule asks for all rows of the engine"
    before = dict(Row.objects.values_list("pk", "assessment"))
    work()
    after = dict(Row.objects.values_list("pk", "assessment"))
    moved = {Row.objects.get(pk=pk).workload.name for pk in after if after[pk] != before[pk]}
    assert moved == {"classifier"}
    assert register.outdated_pairs() == []


def test_a_missing_cell_that_comes_makes_stale_what_asked_for_it(cast: Cast, without_matrix: None) -> None:
    publish(cast.curator, draft("7.14.0", {"part/mi300x/gfx": "gfx942"}))
    target("one", "mi300x", "7.14.0")
    target("other", "mi210", "7.14.0")
    register_workload(cast.search, "chat")
    base = {c.key: c.value for c in release("7.14.0").cells.all()}
    done = publish(cast.curator, draft("7.14.0", base | {"driver/mi300x": "31.40.1"}))
    assert done.run is not None and done.run.total == 1
    gone = publish(cast.curator, draft("7.14.0", base))
    assert gone.run is None, "before anyone judged by it, it is as it was again"


@shipped
def test_the_same_cells_on_a_later_day_move_nothing(cast: Cast) -> None:
    register_workload(cast.search, "chat")
    before = release("7.14.0")
    done = publish(cast.curator, redraft(before))
    before.refresh_from_db()
    assert (done.run, done.superseded, before.state) == (None, before, "superseded")
    assert (done.release.state, done.release.published_by) == ("published", cast.curator)
    assert done.release.published_at is not None
    assert register.outdated_pairs() == []
    found = knowledge().release(ROCM, "7.14.0")
    assert found is not None and found.read == DAY
    entry = Entry.objects.filter(action="matrix.published", who=cast.curator).get()
    assert entry.details["supersedes"] == before.pk


@shipped
def test_the_shipped_reading_does_not_come_back_over_a_persons(cast: Cast) -> None:
    mine = redraft(release("7.14.0"), {"driver/mi300x": "31.99.0"})
    publish(cast.curator, mine)
    loaded = load_shipped()
    assert (loaded.published, loaded.superseded) == ([], [])
    assert release("7.14.0") == mine
    again = redraft(mine, read=date(2026, 8, 7))
    assert load_shipped().published == [] and again.state == "draft"


@shipped
def test_an_earlier_reading_does_not_supersede_a_later_one(cast: Cast) -> None:
    publish(cast.curator, redraft(release("7.14.0")))
    with pytest.raises(Refused, match="of 20 November 2026, later than this one"):
        publish(cast.curator, redraft(release("7.14.0"), read=DAY - timedelta(days=1)))
    with pytest.raises(Refused, match="without any cell"):
        publish(cast.curator, draft("11.0.0", {}))


@shipped
def test_two_people_publish_at_once_and_the_second_is_told(cast: Cast, client_of: ClientOf) -> None:
    register_workload(cast.search, "chat")
    shown = release("7.14.0")
    first = redraft(shown, {"driver/mi300x": "31.98.0"})
    second = redraft(shown, {"driver/mi300x": "31.99.0"})
    post(client_of(cast.administrator), first)
    answer = client_of(cast.curator).post(
        f"/matrices/releases/{second.pk}/publish/", {"digest": second.digest, "instead_of": shown.pk}
    )
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "was published by administrator in the meantime: this is compared with it now" in text
    assert "31.98.0" in text and "31.99.0" in text
    assert release("7.14.0") == first
    assert Run.objects.filter(cause="matrix").count() == 1
    assert "is published" in post(client_of(cast.curator), second).content.decode()
    assert release("7.14.0") == second


@shipped
def test_the_same_draft_published_twice_starts_one_run(cast: Cast, client_of: ClientOf) -> None:
    register_workload(cast.search, "chat")
    mine = redraft(release("7.14.0"), {"driver/mi300x": "31.98.0"})
    text = post(client_of(cast.curator), mine).content.decode()
    assert "ROCm compatibility matrix 7.14.0 is published." in text and "assessed again: " in text
    answer = post(client_of(cast.administrator), mine)
    assert answer.status_code == 409
    assert "was published by curator in the meantime. Nothing of yours was done." in answer.content.decode()
    assert Run.objects.filter(cause="matrix").count() == 1


@shipped
def test_a_draft_that_changed_since_it_was_shown_is_not_published(cast: Cast) -> None:
    shown = release("7.14.0")
    mine = redraft(shown)
    then = mine.digest
    values = actions.CellValues("driver/mi300x", "1", "because", "https://docs.example.com/")
    actions.enter_cell(cast.administrator, mine.pk, values)
    with pytest.raises(actions.Conflict, match="changed in the meantime"):
        actions.publish(cast.curator, mine.pk, digest=then, instead_of=shown.pk)
    assert release("7.14.0") == shown


@shipped
def test_only_curators_and_administrators_publish(cast: Cast, client_of: ClientOf) -> None:
    mine = redraft(release("7.14.0"))
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            publish(person, mine)
        assert post(client_of(person), mine).status_code == 403
    assert publish(cast.administrator, mine).release.state == "published"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_the_button_in_the_same_moment_one_publishes(cast: Cast) -> None:
    call_command("load_shipped", verbosity=0)
    shown = release("7.14.0")
    drafts = [redraft(shown, {"driver/mi300x": value}) for value in ("31.98.0", "31.99.0")]
    both = threading.Barrier(2)

    def press(mine: Release, who: Person) -> str:
        try:
            both.wait(timeout=10)
            actions.publish(who, mine.pk, digest=mine.digest, instead_of=shown.pk)
        except actions.Conflict as told:
            return str(told)
        finally:
            connections.close_all()
        return "published"

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(press, drafts, (cast.curator, cast.administrator)))
    assert said[1] == "published"
    assert said[0].startswith("Another reading of ROCm compatibility matrix 7.14.0 was published by ")
    states = Release.objects.filter(source=ROCM, version="7.14.0").values_list("state", flat=True)
    assert sorted(states) == ["draft", "published", "superseded"]
