"""On a folder of labelled manifests: every labelled place has a site, and the facts are those of the labels."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from portability.engine.manifests import read_facts
from portability.engine.model import Declared, Facts
from portability.engine.summary import merge_summary

FOLDER = os.environ.get("PORTABILITY_CORPUS", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="PORTABILITY_CORPUS is not set")

KINDS = {
    "IMAGE": {"image"},
    "RESOURCE": {"resource", "quota", "device-class"},
    "NODE": {"node"},
    "TOLERATION": {"toleration"},
    "RUNTIME": {"runtime-class"},
    "ENV": {"env"},
    "DEVICE": {"path"},
    "COMMAND": {"command"},
    "CRD": {"kind"},
    "METRIC": {"metric"},
    "CODE": {"script", "command"},
}


def _labels() -> list[tuple[dict[str, Any], Facts]]:
    folder = Path(FOLDER)
    entries = yaml.safe_load((folder / "index.yaml").read_text())
    return [(entry, read_facts([(entry["file"], (folder / entry["file"]).read_bytes())])) for entry in entries]


def _shown(label: dict[str, Any], facts: Facts) -> bool:
    entry = label["path"].rpartition("/")[0]
    return any(
        site.kind in KINDS[label["class"]]
        and (site.place.pointer == label["path"] or (label["class"] == "ENV" and site.place.pointer.startswith(entry)))
        and (site.place.line == label["line"] or label["class"] == "ENV")
        for site in facts.sites
    )


def test_every_labelled_place_has_a_site() -> None:
    missed = [
        (entry["file"], label["class"], label["line"])
        for entry, facts in _labels()
        for label in entry["findings"]
        if label["class"] in KINDS and not _shown(label, facts)
    ]
    assert missed == []


def test_facts_are_those_of_the_labels() -> None:
    right = 0
    wrong: list[tuple[Any, ...]] = []
    for entry, facts in _labels():
        summary = merge_summary(facts, Declared())
        for key in ("engine", "model", "model_kind"):
            want, fact = entry.get(key), getattr(summary, key)
            if want not in (None, "none", "unknown", "mixed"):
                right += (same := fact is not None and fact.value == want)
                wrong += [] if same else [(entry["file"], key, fact and fact.value, want)]
        seen = {feature.name for feature in summary.features}
        for feature in entry.get("features") or []:
            right += feature in seen
            wrong += [] if feature in seen else [(entry["file"], feature)]
    assert right / (right + len(wrong)) >= 0.95, wrong


def test_no_file_has_a_problem() -> None:
    assert [facts.problems for _, facts in _labels() if facts.problems] == []
