"""`portability assess` as scripts use it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from portability.cli import main
from tests.engine.output.assessed import POD


@pytest.fixture
def pod(tmp_path: Path) -> Path:
    path = tmp_path / "pod.yaml"
    path.write_text(POD)
    return path


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(["assess", *arguments, "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


def test_json_holds_what_the_contract_names(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = _json(capsys, str(pod))
    assert status == 0  # needs change is below the default of --fail-on
    assert answer["schema"] == 1
    assert answer["tool"] == {"name": "portability", "version": answer["tool"]["version"]}
    assert answer["target"]["name"] == "mi300x-single"
    assert {"source": "rocm-compatibility-matrix", "version": "7.14.0", "read": "2026-08-07"} in answer["releases"]
    workload = answer["workloads"][0]
    assert workload["verdict"] == "needs-change"
    resource = next(f for f in workload["findings"] if f["rule"] == "RES001")
    assert resource["line"] == 9
    assert resource["pointer"] == "0:/spec/containers/0/resources/limits/nvidia.com~1gpu"
    assert resource["path"] == "spec/containers[vllm]/resources/limits/nvidia.com~1gpu"
    assert resource["resource"] == {"kind": "Pod", "namespace": "serving", "name": "chat"}
    assert resource["about"] == "workload" and resource["reason"] and resource["remedy"]


def test_a_finding_keeps_its_identity_when_a_container_is_put_before_and_lines_move(
    pod: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def identities() -> dict[str, str]:
        _, answer = _json(capsys, str(pod))
        return {f["rule"]: f["identity"] for f in answer["workloads"][0]["findings"] if f["effect"] != "note"}

    before = identities()
    pod.write_text(
        "# moved\n\n" + POD.replace("  containers:\n", "  containers:\n    - {name: log, image: busybox:1.36}\n")
    )
    assert identities() == before


@pytest.mark.parametrize(
    ("fail_on", "status"), [("never", 0), ("pinned", 0), ("needs-change", 1)], ids=["never", "pinned", "needs-change"]
)
def test_exit_status_follows_fail_on(pod: Path, fail_on: str, status: int) -> None:
    assert main(["assess", str(pod), "--fail-on", fail_on]) == status


def test_an_unreadable_file_is_said_with_file_and_line_and_the_others_are_reported(
    pod: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("kind: Pod\nspec: {{ .Values.spec }}\n")
    assert main(["assess", str(pod), str(broken), "--format", "json"]) == 2
    printed = capsys.readouterr()
    assert [w["name"] for w in json.loads(printed.out)["workloads"]] == ["pod", "broken"]
    assert f"{broken}:2:" in printed.err and "helm template" in printed.err
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [["assess"], ["assess", "nowhere.yaml"], ["assess", "--target", "nowhere", "x"], ["assess", "--workload", "none"]],
)
def test_a_call_that_cannot_be_used_is_two_and_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_directories_are_searched_and_grouped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a/one.yaml", "a/two.yml", "b/three.json"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(POD if not name.endswith("json") else '{"kind": "Service", "apiVersion": "v1"}')
    (tmp_path / "a" / "readme.txt").write_text("no manifest")
    _, per_file = _json(capsys, str(tmp_path))
    assert [w["name"] for w in per_file["workloads"]] == ["one", "two", "three"]
    _, per_directory = _json(capsys, str(tmp_path), "--per", "directory")
    assert [(w["name"], len(w["files"])) for w in per_directory["workloads"]] == [("a", 2), ("b", 1)]


def test_each_document_may_be_a_workload(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pod.write_text(POD + "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n---\n" + POD)
    _, answer = _json(capsys, str(pod), "--per", "document")
    verdicts = [(w["name"], w["verdict"]) for w in answer["workloads"]]
    assert verdicts == [("pod#0", "needs-change"), ("pod#1", "movable"), ("pod#2", "needs-change")]


def test_a_document_is_not_judged_by_the_objects_of_another(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = "apiVersion: amd.com/v1alpha1\nkind: DeviceConfig\nmetadata: {name: %s}\nspec: {driver: {enable: true}}\n"
    pod.write_text(POD + "---\n" + config % "one" + "---\n" + config % "two")
    _, answer = _json(capsys, str(pod), "--per", "document")
    found = [[f["line"] for f in w["findings"] if f["rule"] == "PLT008"] for w in answer["workloads"]]
    assert found == [[], [12], [17]]


def test_declared_facts_alone_can_be_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workload = tmp_path / "workload.yaml"
    workload.write_text("name: transcribe\nengine: vllm\nmodel_kind: encoder-decoder\ngpus_per_replica: 1\n")
    status, answer = _json(capsys, "--workload", str(workload))
    assert status == 1
    assert answer["workloads"][0]["verdict"] == "pinned"


def test_standard_input_and_the_same_bytes_whatever_the_hash_seed(pod: Path) -> None:
    def run(seed: str) -> bytes:
        return subprocess.run(
            [sys.executable, "-m", "portability.cli", "assess", "-", "--format", "json", "--as-of", "2026-09-01"],
            input=POD.encode(),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout

    assert run("1") == run("2") == run("77")


def test_an_overdue_source_is_a_note_for_the_given_day(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def overdue(day: str) -> list[str]:
        _, answer = _json(capsys, str(pod), "--as-of", day)
        return [f["reason"] for f in answer["workloads"][0]["findings"] if f["rule"] == "KNO001"]

    assert overdue("2026-11-05") == []  # read on 7 August, due after 90 days
    assert any("1 day" in reason for reason in overdue("2026-11-06"))


def test_text_says_verdict_reason_place_and_remedy_without_colour_off_a_terminal(
    pod: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["assess", str(pod)])
    out = capsys.readouterr().out
    assert "NEEDS CHANGE" in out and f"{pod}:7" in out and "vllm/vllm-openai-rocm" in out and "Do:" in out
    assert "\x1b" not in out


def test_no_control_character_of_a_manifest_reaches_the_terminal(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pod.write_text(POD.replace("vllm/vllm-openai:v0.23.0", '"vllm/vllm-openai\\e[31m:v1"'))
    main(["assess", str(pod)])
    assert "\x1b" not in capsys.readouterr().out


def test_two_findings_without_a_place_have_two_identities(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, answer = _json(capsys, str(pod), "--as-of", "2027-01-01")
    overdue = [f["identity"] for f in answer["workloads"][0]["findings"] if f["rule"] == "KNO001"]
    assert len(overdue) > 1
    assert len(set(overdue)) == len(overdue)
