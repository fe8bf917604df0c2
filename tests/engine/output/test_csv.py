"""`--format csv`: one row a finding, one for a workload without any, nothing that a spreadsheet runs."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.engine.model import (
    Assessment,
    Effect,
    Evidence,
    Finding,
    OperatingSystem,
    Place,
    Resource,
    Summary,
    Target,
    Vendor,
    Verdict,
)
from portability.engine.output.csv import COLUMNS, csv_lines
from portability.engine.output.report import Judged, Report
from tests.engine.output.assessed import folder, printed

ROOT = Path(__file__).parents[3]


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder(tmp_path))


def test_one_row_a_finding_with_what_json_says_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    _, text = printed(capsys, "apps/pod.yaml", "--format", "csv")
    _, whole = printed(capsys, "apps/pod.yaml", "--format", "json")
    findings = json.loads(whole)["workloads"][0]["findings"]
    rows = _rows(text)
    assert len(rows) == len(findings) > 2
    for row, finding in zip(rows, findings, strict=True):
        for column in ("rule", "class", "effect", "about", "pointer", "path", "identity", "value"):
            assert row[column] == finding[column], column
        assert row["line"] == str(finding["line"] or "")
        assert row["reason"] == finding["reason"] and row["remedy"] == finding["remedy"]
        assert (row["kind"], row["namespace"], row["name"]) == tuple(finding["resource"].values())
        for e in finding["evidence"]:
            assert f"{e['cell']} = {e['value']}" in row["evidence"]
        assert (row["workload"], row["target"], row["verdict"]) == ("pod", "mi300x-single", "needs-change")


def test_a_workload_without_findings_has_one_row(capsys: pytest.CaptureFixture[str]) -> None:
    _, text = printed(capsys, "apps/door.yml", "--target", "h100", "--as-of", "2026-08-10", "--format", "csv")
    assert [(row["workload"], row["verdict"], row["effect"]) for row in _rows(text)] == [("door", "movable", "")]


def test_what_is_missing_is_said_and_the_rest_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = printed(capsys, "apps", "nowhere.yaml", "--format", "csv")
    assert status == 2
    rows = _rows(text)
    assert {row["workload"] for row in rows} == {"broken", "door", "fast one", "pod"}
    assert all(("apps/broken.yaml:2" in row["missing"]) == (row["workload"] == "broken") for row in rows)


def test_is_plain_utf8_with_crlf_and_no_mark(capsys: pytest.CaptureFixture[str]) -> None:
    _, text = printed(capsys, "apps/door.yml", "--format", "csv")
    assert text.startswith("workload,target,") and text.endswith("\r\n")


def test_the_columns_are_those_of_the_documentation() -> None:
    text = (ROOT / "docs/command-line.md").read_text()
    section = text[text.index("## CSV") :].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == COLUMNS


any_text = st.text(st.characters(codec="utf-8"), max_size=30)


@given(name=any_text, value=any_text, reason=any_text, remedy=any_text, file=any_text, path=any_text)
def test_any_text_comes_back_and_none_starts_a_formula(
    name: str, value: str, reason: str, remedy: str, file: str, path: str
) -> None:
    place = Place(file, 3, "0:/a", path, Resource("Pod", "", name))
    evidence = (Evidence("somewhere", "1.0", date(2026, 8, 7), "cell", value),)
    finding = Finding("IMG001", "IMAGE", Effect.CHANGE, reason, remedy, place, value, evidence)
    found = Assessment(Verdict.PINNED, Verdict.PINNED, (finding,), (), (), frozenset(), Summary(), True)
    target = Target("t", Vendor.AMD, "mi300x", OperatingSystem("ubuntu", "24.04"))
    text = "".join(csv_lines(Report(target, [Judged(name, (file,), found)])))
    (row,) = _rows(text)
    given_back = {"workload": name, "value": value, "reason": reason, "remedy": remedy, "file": file, "path": path}
    for column, said in given_back.items():
        whole = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", " ", said)
        assert row[column] in (whole, f"'{whole}")
        number = re.fullmatch(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?", row[column])
        assert number or not row[column].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
