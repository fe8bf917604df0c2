"""Decisions and waivers hang on what was found, not on how it is written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import yaml

from portability.engine.output.json import finding_to_json
from portability.matrices.models import Release
from portability.organisation.dates import Quarter
from portability.register.models import Row
from portability.reviews.actions import close, open_review, undo_last
from portability.reviews.errors import Refused
from portability.reviews.findings import mark
from portability.reviews.models import Entry, Review
from portability.workloads.actions import move, rename, restore, retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.engine.rules.judging import found
from tests.matrices.keeping import DAY, publish, redraft, work
from tests.reviews.making import SERVING, TODAY, decided, entry_of, revise, standing, waived

pytestmark = pytest.mark.database
SIDECAR = SERVING.replace("      containers:\n", "      containers:\n        - {name: log, image: busybox:1.36}\n")


def _config(version: str) -> dict[str, object]:
    driver = {"enable": True, "blacklist": False, "version": version}
    return {"device_config": {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "spec": {"driver": driver}}}


def _reordered(value: object) -> object:
    if isinstance(value, dict):
        return {key: _reordered(value[key]) for key in sorted(value, reverse=True)}
    return [_reordered(item) for item in value] if isinstance(value, list) else value


PLATFORMS: dict[str, tuple[str, dict[str, object], dict[str, object]]] = {
    "an operating system not known": ("PLT001", {"os": None}, {"os": {"family": "ubuntu", "version": ""}}),
    "what a DeviceConfig lacks": ("PLT008", _config("5.1"), _config("")),
    "how a node is partitioned": (
        "RES006",
        {"partitions": {"spx_nps1": 4, "dpx_nps1": 4}},
        {"partitions": {"spx_nps1": 1, "cpx_nps4": 7}},
    ),
    "an exporter": ("OBS002", {"metrics_exporter": None}, {"metrics_exporter": False}),
}


@pytest.mark.parametrize("case", PLATFORMS)
def test_what_is_found_about_a_target_for_another_reason_is_another_cause(case: str) -> None:
    rule, before, after = PLATFORMS[case]
    marks = set()
    for spec in (before, after):
        marks |= {mark(finding_to_json(f, "chat", "there")) for f in found(rule, target=spec)}
    assert len(marks) == 2


SAME: dict[str, Callable[[Cast, Workload], object]] = {
    "names in another order": lambda cast, w: revise(
        cast.member, w, yaml.safe_dump(_reordered(yaml.safe_load(SERVING)), sort_keys=False)
    ),
    "indented otherwise": lambda cast, w: revise(cast.member, w, yaml.safe_dump(yaml.safe_load(SERVING), indent=8)),
    "lines and comments before": lambda cast, w: revise(cast.member, w, "# ours\n\n\n" + SERVING),
    "another file name": lambda cast, w: revise(cast.member, w, SERVING, "deploy.yaml"),
    "a container before": lambda cast, w: revise(cast.member, w, SIDECAR),
    "another workload name": lambda cast, w: rename(cast.member, w.pk, "assistant"),
    "another team": lambda cast, w: move(cast.administrator, w.pk, cast.media.pk),
    "retired and restored": lambda cast, w: (retire(cast.member, w.pk, "paused"), restore(cast.member, w.pk)),
}
OTHER = {
    "another tag": SERVING.replace("v0.23.0", "v0.24.0"),
    "another name of the container": SERVING.replace("name: vllm", "name: engine"),
    "another name of the object": SERVING.replace("{name: serving}", "{name: chat}"),
}


@pytest.fixture
def entry(cast: Cast, review: Review, chat: Workload) -> Entry:
    """The entry of `chat`, its image waived and decided to be movable all the same."""
    entry = entry_of(review, chat)
    waived(cast.architect, entry, "IMG001")
    decided(cast.architect, entry, kind="otherwise", verdict="movable", reason="It ran.", evidence="Rehearsed.")
    return entry


@pytest.mark.parametrize("how", SAME)
def test_what_is_only_written_otherwise_keeps_them(cast: Cast, entry: Entry, chat: Workload, how: str) -> None:
    before = standing(entry)
    SAME[how](cast, chat)
    line = standing(entry)
    assert (line.decided_verdict, line.waived, line.asks_again) == ("movable", 1, False)
    assert before.engine_verdict == line.engine_verdict == "needs-change"


@pytest.mark.parametrize("how", OTHER)
def test_another_value_ends_both_and_the_old_one_brings_them_back(
    cast: Cast, entry: Entry, chat: Workload, how: str
) -> None:
    revise(cast.member, chat, OTHER[how])
    line = standing(entry)
    assert (line.engine_verdict, line.decided_verdict, line.waived) == ("needs-change", "needs-change", 0)
    assert line.asks_again
    revise(cast.member, chat, SERVING)
    assert not standing(entry).asks_again


@pytest.mark.parametrize("how", SAME)
def test_who_agreed_is_not_asked_again_for_what_is_only_written_otherwise(
    cast: Cast, review: Review, chat: Workload, how: str
) -> None:
    entry = entry_of(review, chat)
    decided(cast.architect, entry)
    SAME[how](cast, chat)
    assert standing(entry).decided


@pytest.mark.parametrize("kind", ["agree", "plan", "stays"])
@pytest.mark.parametrize("how", OTHER)
def test_another_value_asks_again_who_agreed_though_the_verdict_is_the_same(
    cast: Cast, review: Review, chat: Workload, how: str, kind: str
) -> None:
    entry = entry_of(review, chat)
    plan = {"plan_quarter": "2027-Q1", "plan_owner": "Lena", "plan_effort": "a day"}
    decided(cast.architect, entry, kind=kind, reason="As it is.", **plan)
    revise(cast.member, chat, OTHER[how])
    line = standing(entry)
    assert (line.engine_verdict, line.decided_verdict, line.asks_again) == ("needs-change", "needs-change", True)
    with pytest.raises(Refused, match="1 asks again"):
        close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, chat, SERVING)
    assert standing(entry).decided
    revise(cast.member, chat, OTHER[how])
    decided(cast.architect, entry)
    undo_last(cast.architect, review.pk, TODAY)  # what stands again was decided on something else
    assert standing(entry).asks_again
    revise(cast.member, chat, SERVING)
    assert standing(entry).decided


def test_a_finding_more_leaves_the_waiver_and_ends_the_decision(cast: Cast, entry: Entry, chat: Workload) -> None:
    revise(cast.member, chat, SERVING.replace("nvidia.com/gpu: ", "nvidia.com/mig-1g.5gb: 1, nvidia.com/gpu: "))
    line = standing(entry)
    assert (line.decided_verdict, line.waived, line.asks_again) == ("needs-change", 1, True)


def test_a_release_read_again_keeps_them_and_one_that_says_otherwise_ends_the_waiver(
    cast: Cast, entry: Entry, chat: Workload
) -> None:
    waived(cast.architect, entry, "RES001")
    plugin = Release.objects.get(source="amd-device-plugin", state="published")
    publish(cast.curator, redraft(plugin, {}, read=DAY + timedelta(days=1)), gone_through=True)
    work()
    assert (standing(entry).waived, standing(entry).asks_again) == (2, False)
    plugin = Release.objects.get(source="amd-device-plugin", state="published")
    other = redraft(plugin, {"naming/single/name": "amd.com/accelerator"}, read=DAY + timedelta(days=2))
    publish(cast.curator, other, gone_through=True)
    work()
    found = Row.objects.get(workload=chat, target=entry.target_id).assessment.findings
    assert any(e["value"] == "amd.com/accelerator" for f in found for e in f["evidence"])
    line = standing(entry)
    assert (line.waived, line.asks_again) == (1, True)
    assert line.entry.decision is not None and line.entry.decision.kind == "otherwise"  # it stays in the history


def test_a_decision_holds_over_quarters_until_another_one_is_made(cast: Cast, entry: Entry, chat: Workload) -> None:
    close(cast.architect, entry.review_id, "Reviewed.", TODAY)
    later = TODAY + timedelta(days=70)
    again = entry_of(open_review(cast.architect, Quarter(2027, 1), later), chat)
    assert standing(again, later).decided_verdict == "movable"
    decided(cast.architect, again, later)
    assert standing(again, later).decided_verdict == "needs-change"
