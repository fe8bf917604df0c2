"""`portability assess --rules`: the organisation's own rules in a pipeline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from portability.cli import main

DEPLOYMENTS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: one}
spec: {replicas: 3, template: {spec: {containers: [{name: main, image: python:3.12}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: two}
spec: {replicas: 1, template: {spec: {containers: [{name: main, image: python:3.12}]}}}
"""
RULES = """\
rules:
  - id: ORG001
    name: Few replicas
    path: $.spec.replicas
    condition: value > 2
    effect: blocks
    reason: The second site has two nodes.
    remedy: Run two.
    link: https://wiki.example/two
  - id: ORG002
    name: For the other vendor
    path: $
    condition: "true"
    effect: blocks
    reason: Never here.
    applies_to: nvidia
  - id: ORG003
    name: Not enabled
    path: $
    condition: "true"
    effect: blocks
    reason: Not enabled.
    enabled: false
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A manifest and the rules."""
    (tmp_path / "serving.yaml").write_text(DEPLOYMENTS)
    (tmp_path / "rules.yaml").write_text(RULES)
    return str(tmp_path / "serving.yaml"), str(tmp_path / "rules.yaml")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status = main(["assess", *arguments])
    return status, json.loads(capsys.readouterr().out)


def test_what_they_find_counts(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    manifest, rules = files
    status, said = answer(capsys, manifest, "--rules", rules, "--format", "json")
    assert status == 1
    (workload,) = said["workloads"]
    assert workload["verdict"] == "pinned"
    (found,) = [f for f in workload["findings"] if f["class"] == "CUSTOM"]
    assert (found["rule"], found["line"], found["value"]) == ("ORG001", 4, "3")
    assert found["evidence"][0]["source"] == "organisation-rule"
    status, said = answer(capsys, manifest, "--format", "json")
    assert (status, said["workloads"][0]["verdict"]) == (0, "movable")


def test_each_document_has_its_own(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    manifest, rules = files
    _, said = answer(capsys, manifest, "--rules", rules, "--format", "json", "--per", "document")
    assert [w["own_verdict"] for w in said["workloads"]] == ["pinned", "movable"]


def test_sarif_describes_them(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    manifest, rules = files
    _, said = answer(capsys, manifest, "--rules", rules, "--format", "sarif")
    run = said["runs"][0]
    (result,) = [r for r in run["results"] if r["ruleId"] == "ORG001"]
    described = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert described["id"] == "ORG001"
    assert described["shortDescription"]["text"] == "The second site has two nodes."
    assert described["helpUri"] == "https://wiki.example/two"


@pytest.mark.parametrize("form", ["text", "csv"])
def test_the_other_formats_name_them(files: tuple[str, str], capsys: pytest.CaptureFixture[str], form: str) -> None:
    manifest, rules = files
    main(["assess", manifest, "--rules", rules, "--format", form])
    said = capsys.readouterr().out
    assert "ORG001" in said
    assert "`portability rules ORG001`" not in said  # it explains the shipped ones


def test_a_rule_at_fault_is_left_out_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "many.yaml").write_text("kind: X\nx:\n" + "  - 1\n" * 1_001)
    (tmp_path / "few.yaml").write_text("kind: X\nx: [1]\n")
    (tmp_path / "rules.yml").write_text(RULES.replace("$.spec.replicas", "$.x[*]").replace("value > 2", "value == 1"))
    files = [str(tmp_path / name) for name in ("few.yaml", "many.yaml")]
    status = main(["assess", *files, "--rules", str(tmp_path / "rules.yml"), "--format", "json"])
    written = capsys.readouterr()
    assert status == 2
    assert "ORG001 was left out: its path leads to more than 1,000 values" in written.err
    assert "ORG001" not in written.out


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (RULES.replace("$.spec.replicas", "spec.replicas"), "ORG001, path: starts with $"),
        (RULES.replace("value > 2", "value >"), "ORG001, condition: ends too early"),
        (RULES.replace("ORG002", "IMG002"), "rule 2: id is 'IMG002'"),
        ("- a\n", "must hold one mapping"),
        ("rules: [", "rules.yaml:"),
    ],
)
def test_what_is_wrong_with_the_file(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], rules: str, said: str
) -> None:
    manifest, file = files
    Path(file).write_text(rules)
    assert main(["assess", manifest, "--rules", file]) == 2
    assert said in capsys.readouterr().err


def test_a_secret_in_what_they_find_is_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "kind: Secret\napiVersion: v1\nmetadata: {name: s}\nstringData: {token: a-quiet-harbour-7}\n"
    (tmp_path / "secret.yaml").write_text(text)
    (tmp_path / "rules.yml").write_text(RULES.replace("$.spec.replicas", "$..token").replace("value > 2", "value != 1"))
    main(["assess", str(tmp_path / "secret.yaml"), "--rules", str(tmp_path / "rules.yml"), "--format", "json"])
    said = capsys.readouterr().out
    assert "ORG001" in said
    assert "a-quiet-harbour-7" not in said


def test_without_rules_their_libraries_are_not_imported(files: tuple[str, str]) -> None:
    code = (
        "import sys; from portability.cli import main; main(['assess', sys.argv[1]]);"
        "assert not {'celpy', 'lark', 'jsonpath_rfc9535', 'pendulum'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, files[0]], check=True, capture_output=True)
