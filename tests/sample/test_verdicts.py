"""What the sample shows: every verdict, and each workload's with the reasons it is there to show."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from portability.engine.assess import Judge
from portability.engine.declared import parse_declared
from portability.engine.manifests import read_facts
from portability.engine.matrices import shipped
from portability.engine.model import Assessment
from portability.engine.targets import parse_target, shipped_targets
from portability.workloads.sample import SampleWorkload, read_sample

SHOWS: dict[str, tuple[str, set[tuple[str, str]]]] = {
    "chat-assistant": ("needs-change", {("IMG001", "change"), ("RES001", "change"), ("NOD001", "change")}),
    "retrieval-tier": ("needs-change", {("IMG001", "change"), ("RES001", "change")}),
    "summaries": ("needs-change", {("SRV004", "change"), ("NOD002", "change")}),
    "policy-search": ("not-assessed", set()),
    "transcribe": ("pinned", {("SRV001", "blocks")}),
    "picture-captions": ("needs-change", {("IMG001", "change"), ("RES001", "change")}),
    "video-tagging": ("needs-change", {("IMG001", "change"), ("RTC001", "change"), ("CMD001", "change")}),
    "poster-studio": ("needs-change", {("IMG001", "change"), ("APP001", "change"), ("APP002", "change")}),
    "nightly-scoring": ("movable", set()),
    "fraud-narratives": ("pinned", {("IMG002", "blocks"), ("CMD001", "blocks")}),
    "contract-extraction": ("pinned", {("CRD001", "blocks"), ("IMG002", "blocks")}),
    "adverse-media": ("needs-change", {("IMG003", "confirm"), ("RES001", "change")}),
    "document-classes": ("needs-change", {("RES002", "change"), ("NOD001", "change")}),
    "fine-tuning": ("needs-change", {("APP002", "change"), ("CMD001", "change"), ("RES001", "change")}),
    "llama-pilot": ("movable", set()),
    "code-completion": ("needs-change", {("SRV002", "confirm")}),
    "prompt-router": ("movable", set()),
    "gpu-monitoring": ("needs-change", {("OBS001", "change"), ("IMG001", "change")}),
    "notebook-helper": ("needs-change", {("IMG001", "change"), ("RES001", "change")}),
    "usage-report": ("not-assessed", set()),
}
FIRST_WAS = {
    "chat-assistant": "needs-change",
    "nightly-scoring": "needs-change",
    "contract-extraction": "needs-change",
    "policy-search": "needs-change",
}


@cache
def judge() -> Judge:
    """The default target on the shipped knowledge."""
    return Judge(parse_target(shipped_targets()["mi300x-single"], ""), shipped.knowledge())


def assessed(workload: SampleWorkload, revision: int = -1) -> Assessment:
    """A revision of a sample workload for the default target."""
    chosen = workload.revisions[revision]
    return judge().assess(read_facts(list(chosen.files)), parse_declared(chosen.declared, workload.name))


def workloads() -> list[SampleWorkload]:
    """The sample's workloads."""
    return list(read_sample().workloads)


def test_the_sample_is_like_what_organisations_run() -> None:
    assert len(workloads()) >= 14
    assert {workload.team for workload in workloads()} == set(read_sample().teams)
    assert len(read_sample().teams) >= 4
    assert {workload.criticality for workload in workloads()} == {"critical", "high", "medium", "low"}
    assert all(workload.owner for workload in workloads())
    assert {workload.name for workload in workloads()} == set(SHOWS)


def test_every_verdict_occurs() -> None:
    spread = Counter(assessed(workload).verdict.value for workload in workloads())
    assert spread == {"movable": 3, "needs-change": 12, "pinned": 3, "not-assessed": 2}


@pytest.mark.parametrize("workload", workloads(), ids=lambda w: w.name)
def test_each_verdict_has_the_reasons_it_is_there_to_show(workload: SampleWorkload) -> None:
    verdict, reasons = SHOWS[workload.name]
    assessment = assessed(workload)
    found = {(f.rule, f.effect.value) for f in assessment.findings}
    assert assessment.verdict.value == verdict
    assert reasons <= found
    if verdict == "movable":
        assert {effect for _, effect in found} <= {"note"}
    assert assessment.own_verdict is assessment.verdict


def test_what_is_not_assessed_says_what_is_missing() -> None:
    missing = {w.name: " ".join(assessed(w).missing) for w in workloads() if SHOWS[w.name][0] == "not-assessed"}
    assert "deployment.yaml:4" in missing["policy-search"]
    assert "helm template" in missing["policy-search"]
    assert "nothing that runs" in missing["usage-report"]


def test_one_workload_only_waits_to_be_confirmed() -> None:
    waiting = next(w for w in workloads() if w.name == "code-completion")
    assert {f.effect.value for f in assessed(waiting).findings} <= {"confirm", "note"}


def test_some_have_a_history_in_which_the_verdict_moved() -> None:
    revised = {w.name: assessed(w, 0).verdict.value for w in workloads() if len(w.revisions) > 1}
    assert revised == FIRST_WAS


@pytest.mark.parametrize(
    ("name", "gpus"), [("chat-assistant", 8), ("transcribe", 16), ("fraud-narratives", 12), ("fine-tuning", 16)]
)
def test_the_larger_ones_count_their_gpus(name: str, gpus: int) -> None:
    summary = assessed(next(w for w in workloads() if w.name == name)).summary
    assert (summary.gpus_per_replica or 0) * (summary.replicas or 0) == gpus
