"""The sample register as data: manifests as organisations write them, and what the teams declare about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class SampleRevision:
    """One state of a sample workload: its files and what is declared."""

    files: tuple[tuple[str, str], ...]
    declared: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SampleWorkload:
    """A workload of the sample, its revisions from the first to the current one."""

    name: str
    team: str
    owner: str
    criticality: str
    revisions: tuple[SampleRevision, ...]
    new: bool = False  # registered between the two reviews


@dataclass(frozen=True, slots=True)
class SampleRehearsal:
    """What was tried on a target; the fields are those of the form, the day counted from that of loading."""

    workload: str
    target: str
    days_ago: int
    traffic: str
    observed: str
    outcome: str = "ran"
    permanent: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """The whole sample register."""

    teams: tuple[str, ...]
    workloads: tuple[SampleWorkload, ...]
    rehearsals: tuple[SampleRehearsal, ...]


def read_sample() -> Sample:
    """The sample as it ships."""
    data = yaml.safe_load((FOLDER / "register.yaml").read_text(encoding="utf-8"))
    return Sample(
        tuple(data["teams"]),
        tuple(_workload(entry) for entry in data["workloads"]),
        tuple(SampleRehearsal(**entry) for entry in data["rehearsals"]),
    )


def _workload(entry: Mapping[str, Any]) -> SampleWorkload:
    folders = sorted((path for path in (FOLDER / entry["name"]).iterdir() if path.is_dir()), key=lambda p: int(p.name))
    declared = entry["declared"] if isinstance(entry["declared"], list) else [entry["declared"]] * len(folders)
    revisions = tuple(
        SampleRevision(tuple((path.name, path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir())), says)
        for folder, says in zip(folders, declared, strict=True)
    )
    return SampleWorkload(entry["name"], entry["team"], entry["owner"], entry["criticality"], revisions, "new" in entry)
