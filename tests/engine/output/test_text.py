"""The report a person reads: what comes first, what is said once, what fits, and what no terminal shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from portability.engine.model import (
    Assessment,
    Effect,
    Finding,
    OperatingSystem,
    Place,
    Summary,
    Target,
    Vendor,
    Verdict,
)
from portability.engine.output.report import Judged, Report
from portability.engine.output.terminal import in_encoding
from portability.engine.output.text import text
from tests.engine.output.assessed import POD, folder, printed

TARGET = Target("there", Vendor.AMD, "mi300x", OperatingSystem("ubuntu", "24.04"))


def _finding(rule: str, effect: Effect, line: int = 1, reason: str = "It is so.") -> Finding:
    place = Place("a.yaml", line, f"0:/spec/{line}", f"spec/containers[x/y]/args/{line}")
    return Finding(rule, "IMAGE", effect, reason, "Do it otherwise.", place, f"value {line}")


def _report(*findings: Finding, verdict: Verdict = Verdict.PINNED) -> Report:
    found = Assessment(verdict, verdict, findings, (), (), frozenset(), Summary(), True)
    return Report(TARGET, [Judged("chat", ("a.yaml",), found)])


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder(tmp_path))


def test_the_verdict_comes_first_then_what_blocks_then_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, "apps/fast one.yaml")
    assert out.startswith("■ PINNED  fast one  apps/fast one.yaml\n")
    order = [out.index(word) for word in ("Blocks the move (", "To change (", "The target mi300x-single", "1 workload")]
    assert order == sorted(order)
    assert "1 pinned" in out and "`portability rules IMG002`" in out


def test_a_place_stands_by_itself_so_that_a_terminal_can_open_it(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, "apps/pod.yaml")
    assert "  RES001  apps/pod.yaml:9  resources/limits/nvidia.com/gpu = 1\n" in out


def test_what_is_said_of_several_places_is_said_once() -> None:
    out = text(_report(_finding("IMG001", Effect.CHANGE, 3), _finding("IMG001", Effect.CHANGE, 7)), colour=False)
    assert "To change (2)" in out
    assert "a.yaml:3  containers[x/y]/args/3 = value 3" in out and "a.yaml:7" in out
    assert out.count("It is so.") == out.count("Do it otherwise.") == 1


def test_many_places_are_folded_and_counted() -> None:
    out = text(_report(*(_finding("IMG001", Effect.CHANGE, n) for n in range(1, 21))), colour=False)
    assert "To change (20)" in out and "… and 15 more places" in out
    assert "a.yaml:5" in out and "a.yaml:6" not in out


def test_many_findings_are_folded_but_none_that_blocks() -> None:
    blocks = [_finding("IMG002", Effect.BLOCKS, n, f"Reason {n}.") for n in range(1, 31)]
    changes = [_finding("IMG001", Effect.CHANGE, n, f"Cause {n}.") for n in range(1, 31)]
    out = text(_report(*blocks, *changes), colour=False)
    assert all(f"Reason {n}." in out for n in range(1, 31))
    assert "Cause 12." in out and "Cause 13." not in out
    assert "… and 18 more: IMG001 ×18" in out


def test_what_the_target_causes_is_said_once_for_all_workloads(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, "apps/pod.yaml", "apps/door.yml", "--target", "targets/old.yaml")
    assert out.count("  PLT001  ") == 1
    assert out.count("because of the target, see below; its own findings alone: movable") == 1
    assert "The target old, for each of these workloads" in out


def test_says_what_is_missing_and_that_something_was_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = printed(capsys, "apps/broken.yaml", "nowhere.yaml")
    assert status == 2
    assert "○ NOT ASSESSED  broken" in out and "missing: apps/broken.yaml:2:" in out
    assert "2 problems were met while reading, named on standard error" in out


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_prose_keeps_to_the_width(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out = printed(capsys, "apps", "--target", "targets/old.yaml")
    long = [line for line in out.splitlines() if len(line) > columns]
    assert all(len(line.split()) == 1 or "`" in line for line in long), "only what cannot be broken is longer"
    if columns >= 80:
        assert long == []


def test_only_ascii_where_the_encoding_has_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, "apps/fast one.yaml", "apps/door.yml")
    plain = in_encoding(out, "ascii").decode("ascii")
    assert plain.startswith("# PINNED") and "+ MOVABLE" in plain and "\\u" not in plain
    assert in_encoding("Größe ■", "ascii") == b"Gr\\xf6\\xdfe #"


def test_colours_change_nothing_but_colours() -> None:
    report = _report(_finding("IMG002", Effect.BLOCKS), _finding("NOD003", Effect.NOTE, 2))
    coloured = text(report, colour=True)
    assert "\x1b[1;31m■ PINNED\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == text(report, colour=False)


def test_no_control_character_of_a_manifest_comes_through(capsys: pytest.CaptureFixture[str]) -> None:
    Path("evil.yaml").write_text(POD.replace("vllm/vllm-openai:v0.23.0", '"vllm/vllm-openai\\e[31m:v1\\u202e"'))
    _, out = printed(capsys, "evil.yaml")
    assert "vllm-openai" in out and not {"\x1b", "\u202e"} & set(out)
