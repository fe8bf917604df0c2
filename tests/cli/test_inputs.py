"""What `portability assess` makes of directories, links, pipes and names that are no text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from portability.cli import main
from tests.engine.output.assessed import POD, SERVICE

CLI = [sys.executable, "-m", "portability.cli", "assess"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(SERVICE)


def _files(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    status = main(["assess", *arguments, "--format", "json"])
    out = capsys.readouterr()
    return status, [file for w in json.loads(out.out)["workloads"] for file in w["files"]], out.err


def test_a_directory_is_searched_in_order_and_hidden_names_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    _write(
        "b/two.yml",
        "b/a/three.json",
        "one.yaml",
        ".git/config.yaml",
        "b/.cache/x.yaml",
        "b/.hidden.yaml",
        "b/readme.md",
    )
    assert _files(capsys, ".") == (0, ["one.yaml", "b/two.yml", "b/a/three.json"], "")


def test_a_hidden_directory_is_searched_when_it_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    _write(".deploy/one.yaml")
    assert _files(capsys, ".deploy") == (0, [".deploy/one.yaml"], "")


def test_what_is_named_or_found_twice_is_judged_once(capsys: pytest.CaptureFixture[str]) -> None:
    _write("a/one.yaml")
    Path("a/same.yaml").symlink_to("one.yaml")
    assert _files(capsys, "a/one.yaml", "a", "./a/one.yaml", "a/")[1] == ["a/one.yaml"]


def test_links_that_go_round_end(capsys: pytest.CaptureFixture[str]) -> None:
    _write("a/one.yaml")
    Path("a/round").symlink_to("..", target_is_directory=True)
    Path("a/loop.yaml").symlink_to("loop.yaml")
    status, files, err = _files(capsys, "a")
    assert (status, files) == (2, ["a/one.yaml"])
    assert err.startswith("a/loop.yaml: cannot be read: ") and len(err.splitlines()) == 1


def test_one_unreadable_file_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    _write("a/one.yaml", "a/two.yaml")
    Path("a/gone.yaml").symlink_to("nowhere.yaml")
    status, files, err = _files(capsys, "a")
    assert (status, files) == (2, ["a/one.yaml", "a/two.yaml"])
    assert err == "a/gone.yaml: cannot be read: No such file or directory\n"


def test_pipes_and_devices_in_a_directory_are_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    _write("a/one.yaml")
    os.mkfifo("a/pipe.yaml")
    assert _files(capsys, "a") == (0, ["a/one.yaml"], "")


def test_a_directory_without_manifests_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    _write("a/readme.md")
    status, files, err = _files(capsys, "a")
    assert (status, files) == (2, [])
    assert err == "a: no manifests (.yaml, .yml, .json) in this directory\n"


def test_a_pipe_that_is_named_is_read() -> None:
    command = f"{sys.executable} -m portability.cli assess <(printf '%s' \"$POD\") --format json"
    run = subprocess.run(["bash", "-c", command], env={**os.environ, "POD": POD}, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["workloads"][0]["verdict"] == "needs-change"


def test_a_file_without_end_is_read_as_far_as_any_is() -> None:
    run = subprocess.run([*CLI, "/dev/zero"], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 2
    assert run.stderr.startswith("/dev/zero:1: the file holds more than 4,000,000 bytes")


@pytest.mark.parametrize("form", ["text", "json", "csv", "sarif"])
def test_a_name_that_is_no_text_is_shown_by_its_bytes(form: str) -> None:
    name = b"caf\xe9.yaml"
    try:
        Path(os.fsdecode(name)).write_text(POD)
    except OSError:
        pytest.skip("this file system takes no name that is not UTF-8")
    run = subprocess.run(
        [*CLI, name, b"nowhere\xff.yaml", b"--format", form.encode()], capture_output=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr == b"nowhere\\xff.yaml: cannot be read: No such file or directory\n"
    out = run.stdout.decode("utf-8")
    assert {"text": "caf\\xe9.yaml:9", "json": "caf\\\\xe9.yaml", "csv": "caf\\xe9.yaml", "sarif": '"caf%E9.yaml"'}[
        form
    ] in out


@pytest.mark.parametrize("option", ["--target", "--workload"])
@pytest.mark.parametrize("name", ["x" * 5000, "nowhere/deep.yaml", ".", "caf\udce9.yaml"])
def test_no_name_of_a_file_ends_in_a_stack_trace(option: str, name: str) -> None:
    run = subprocess.run([*CLI, "-", option, os.fsencode(name)], input=b"", capture_output=True, check=False)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1 and b"Traceback" not in run.stderr


def test_a_path_that_is_too_long_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    status, files, err = _files(capsys, "x" * 5000)
    assert (status, files) == (2, [])
    assert "File name too long" in err
