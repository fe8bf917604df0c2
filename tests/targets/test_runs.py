"""What a change of a target makes the register do: one run over every workload, started with the change itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.register.models import Batch, Run
from portability.targets import actions
from portability.targets.models import Target
from portability.workloads.actions import Entry, retire, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.targets.test_edit import FIELDS, SPEC

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


@pytest.fixture
def workload(cast: Cast) -> Workload:
    """One workload, registered before any target."""
    declared = content([], {"engine": "vllm", "model_kind": "decoder-only"})
    return save_workload(None, Entry(declared), team=cast.search, name="chat").workload


def pairs() -> list[list[int]]:
    """What is still to be judged."""
    return [pair for batch in Batch.objects.all() for pair in batch.pairs]


def test_a_new_target_is_judged_for_every_workload(cast: Cast, workload: Workload) -> None:
    target, run = actions.create_target(cast.curator, SPEC)
    assert run is not None
    assert (run.cause, run.about, run.total, run.started_by) == (
        "target",
        "target mi300x-lab was added",
        1,
        cast.curator,
    )
    assert pairs() == [[workload.pk, target.pk]]


def test_an_edit_starts_a_run_and_the_page_links_to_it(cast: Cast, client_of: ClientOf, workload: Workload) -> None:
    actions.create_target(cast.curator, SPEC)
    client = client_of(cast.curator)
    page = client.post(reverse("targets:edit", args=["mi300x-lab"]), FIELDS | {"rocm": "10.0.0"}, follow=True)
    run = Run.objects.order_by("-pk")[0]
    assert run.about == "target mi300x-lab was edited"
    assert reverse("register:run", args=[run.pk]) in page.content.decode()


def test_saving_what_is_there_and_choosing_the_default_start_nothing(cast: Cast, workload: Workload) -> None:
    actions.create_target(cast.curator, SPEC)
    assert actions.save_target(cast.curator, "mi300x-lab", 1, SPEC)[1] is None
    actions.set_default(cast.curator, "mi300x-lab")
    assert Run.objects.count() == 1


def test_an_inactive_target_is_judged_again_only_when_it_is_active(cast: Cast, workload: Workload) -> None:
    actions.create_target(cast.curator, SPEC)
    actions.deactivate(cast.curator, "mi300x-lab")
    assert actions.save_target(cast.curator, "mi300x-lab", 1, SPEC | {"rocm": "10.0.0"})[1] is None
    _, run = actions.activate(cast.curator, "mi300x-lab")
    assert run is not None and run.total == 1


def test_without_workloads_there_is_nothing_to_run(cast: Cast) -> None:
    assert actions.create_target(cast.curator, SPEC)[1] is None


def test_a_change_that_fails_starts_nothing(cast: Cast, workload: Workload) -> None:
    actions.create_target(cast.curator, SPEC)
    with pytest.raises(actions.Conflict):
        actions.save_target(cast.curator, "mi300x-lab", 7, SPEC | {"rocm": "10.0.0"})
    assert (Run.objects.count(), Target.objects.get().version) == (1, 1)


def test_retired_workloads_are_left_out(cast: Cast, workload: Workload) -> None:
    retire(cast.member, workload.pk, "no longer needed")
    assert actions.create_target(cast.curator, SPEC)[1] is None
