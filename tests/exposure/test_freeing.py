"""What would free most: sets of obstacles, what they free, and what stands in the way most often."""

from __future__ import annotations

import pytest

from portability.engine.model import Verdict
from portability.exposure.freeing import Freeing, freeing
from portability.exposure.links import Links
from portability.register.models import Obstacles, Row
from portability.register.obstacles import interned, parts_in, parts_of, text_of
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate, make_target
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]

IMAGE, RESOURCE, RUNTIME = "IMG001 image vllm/vllm-openai", "RES001 nvidia.com/gpu", "RTC001 runtime class nvidia"


def register(*needing: tuple[tuple[str, ...], int | None]) -> Target:
    """A register in whose workloads' way these things stand; the number is their GPUs."""
    target = generate(len(needing))
    workloads = Workload.objects.order_by("name")
    for workload, (parts, gpus) in zip(workloads, needing, strict=True):
        Workload.objects.filter(pk=workload.pk).update(vendor_today="nvidia", gpus=gpus)
        text = text_of(sorted(parts))
        Row.objects.filter(workload=workload).update(verdict=Verdict.NEEDS_CHANGE, obstacles_id=interned([text])[text])
    return target


def reckoned(target: Target) -> Freeing:
    """What the page shows."""
    return freeing(target, Links(target.name, "nvidia", decided=False))


def test_a_set_frees_those_in_whose_way_nothing_else_stands(db: None) -> None:
    found = reckoned(
        register(
            ((IMAGE, RESOURCE), 8),
            ((IMAGE, RESOURCE), 4),
            ((RESOURCE,), 1),
            ((IMAGE, RESOURCE, RUNTIME), 2),
        )
    )
    freed = {tuple(c.parts): (c.amount.workloads, c.amount.gpus) for c in found.changes}
    assert freed == {
        (IMAGE, RESOURCE): (3, 13),
        (IMAGE, RESOURCE, RUNTIME): (4, 15),
        (RESOURCE,): (1, 1),
    }


def test_sets_are_ranked_by_what_they_free_for_each_thing_to_be_changed(db: None) -> None:
    found = reckoned(register(((IMAGE, RESOURCE), 10), ((RUNTIME,), 6), ((IMAGE, RESOURCE, RUNTIME), 0)))
    assert [c.parts for c in found.changes] == [[RUNTIME], [IMAGE, RESOURCE, RUNTIME], [IMAGE, RESOURCE]]


def test_what_stands_in_the_way_most_often_and_how_often_alone(db: None) -> None:
    found = reckoned(register(((IMAGE, RESOURCE), 8), ((RESOURCE,), None), ((RESOURCE,), 3)))
    assert [(o.part, o.amount.workloads, o.amount.gpus, o.alone) for o in found.often] == [
        (RESOURCE, 3, 11, 2),
        (IMAGE, 1, 8, 0),
    ]


def test_pinned_ones_other_vendors_and_retired_ones_are_left_out(db: None) -> None:
    target = register(((IMAGE,), 8), ((IMAGE,), 4), ((IMAGE,), 2))
    names = list(Workload.objects.order_by("name").values_list("pk", flat=True))
    Row.objects.filter(workload=names[0]).update(verdict=Verdict.PINNED)
    Workload.objects.filter(pk=names[1]).update(vendor_today="amd")
    assert [c.amount.gpus for c in reckoned(target).changes] == [2]
    assert reckoned(make_target("another", default=False)) == Freeing([], [])


def test_assessing_stores_what_stands_in_the_way_in_words_that_workloads_share(cast: Cast, shipped: None) -> None:
    first = register_workload(cast.search, "first")
    second = register_workload(cast.media, "second", image="vllm/vllm-openai:v0.9.1")
    texts = Row.objects.filter(target__name="mi300x-single").values_list("obstacles__text", flat=True)
    assert [parts_in(text or "") for text in texts] == [[IMAGE, RESOURCE], [IMAGE, RESOURCE]]
    assert Obstacles.objects.filter(text=texts[0]).count() == 1
    register_workload(cast.search, "first", image="vllm/vllm-openai-rocm:v0.23.0", resource="amd.com/gpu")
    assert Row.objects.get(workload=first, target__name="mi300x-single").obstacles_id is None, "movable now"
    assert second.rows.get(target__name="mi300x-single").obstacles_id


@pytest.mark.parametrize(
    ("finding", "part"),
    [
        ({"class": "IMAGE", "value": "r.example:5000/a/b:v1@sha256:00"}, "R1 image r.example:5000/a/b"),
        ({"class": "RESOURCE", "value": "2", "pointer": "0:/limits/nvidia.com~1gpu"}, "R1 nvidia.com/gpu"),
        ({"class": "ENV", "value": "all", "path": "c/env[NVIDIA_X]/value"}, "R1 environment NVIDIA_X"),
        ({"class": "CODE", "value": "flash-attn==2.8.3"}, "R1 flash-attn"),
        ({"class": "COMMAND", "value": "nvidia-smi -l 1"}, "R1"),
        ({"class": "PLATFORM", "about": "target", "reason": "Not listed. Say so."}, "R1 target: Not listed"),
        ({"class": "RUNTIME", "value": "a\nb" * 100}, ("R1 runtime class " + "a b" * 100)[:123].rstrip()),
    ],
    ids=lambda value: value["class"] if isinstance(value, dict) else "",
)
def test_what_is_shared_of_a_finding(finding: dict[str, str], part: str) -> None:
    whole = {
        "effect": "change",
        "about": "workload",
        "value": "",
        "path": "",
        "pointer": "",
        "reason": "",
        "rule": "R1",
    }
    assert parts_of([whole | finding, whole | finding | {"effect": "note", "rule": "R2"}]) == [part]
