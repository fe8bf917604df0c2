"""Standard output of the command line: terminals, encodings, full disks, and readers that go away."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from portability.cli import main
from tests.engine.output.assessed import PINNED, POD

CLI = [sys.executable, "-m", "portability.cli"]


@pytest.fixture
def pod(tmp_path: Path) -> str:
    path = tmp_path / "pod.yaml"
    path.write_text(POD)
    return str(path)


def _on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a terminal of 80 columns is sent."""
    parent, child = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
    with subprocess.Popen(
        [*CLI, *arguments], stdout=child, stdin=child, env={**env, "TERM": "xterm", **environment}
    ) as run:
        os.close(child)
        sent = b""
        try:
            while piece := os.read(parent, 65536):
                sent += piece
        except OSError:  # how a pseudo-terminal says that the other side has closed
            pass
        assert run.wait() == 0
    os.close(parent)
    return sent.decode()


def test_colours_on_a_terminal_that_wants_them(pod: str) -> None:
    assert "\x1b[1;33m◐ NEEDS CHANGE\x1b[0m" in _on_a_terminal("assess", pod)
    assert "\x1b[1mWhy\x1b[0m" in _on_a_terminal("rules", "IMG001")


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
def test_none_where_they_are_not_wanted(name: str, pod: str) -> None:
    out = _on_a_terminal("assess", pod, **{name: {"NO_COLOR": "1", "TERM": "dumb"}[name]})
    assert "NEEDS CHANGE" in out and "\x1b" not in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("command", ["assess", "rules"])
def test_any_encoding_will_do(encoding: str, command: str, pod: str) -> None:
    argument = pod if command == "assess" else "IMG001"
    run = subprocess.run(
        [*CLI, command, argument],
        env={**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert ("~ NEEDS CHANGE" if command == "assess" else "image-built-for-other-vendor") in run.stdout.decode(encoding)


@pytest.mark.parametrize("form", ["json", "sarif", "csv"])
def test_data_is_utf8_whatever_the_locale(form: str, tmp_path: Path) -> None:
    file = tmp_path / "größe.yaml"
    file.write_text(POD.replace("chat", "größe"))
    run = subprocess.run(
        [*CLI, "assess", str(file), "--format", form],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert "größe" in run.stdout.decode("utf-8")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "csv"])
def test_names_beyond_ascii_where_python_knows_only_ascii(form: str, tmp_path: Path) -> None:
    folder = tmp_path / "größe"
    folder.mkdir()
    (folder / "ä.yaml").write_text(POD)
    run = subprocess.run(
        [*CLI, "assess", str(folder), "--per", "directory", "--format", form],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert ("gr\\xf6\\xdfe" if form == "text" else "größe") in run.stdout.decode("utf-8")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "csv"])
def test_a_full_disk_is_said_in_one_line(form: str, pod: str) -> None:
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [*CLI, "assess", pod, "--format", form], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert run.returncode == 2
    assert run.stderr == "portability: standard output: cannot be written: No space left on device\n"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "csv"])
def test_a_reader_that_goes_away_changes_no_status(form: str, tmp_path: Path) -> None:
    many = tmp_path / "many.yaml"
    many.write_text("---\n".join([PINNED] * 50))
    command = f"{sys.executable} -m portability.cli assess {many} --format {form} | head -c 1; echo ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert run.stdout.endswith(b"1\n")
    assert run.stderr == b""


def test_closed_streams_are_no_stack_trace(pod: str) -> None:
    run = subprocess.run(
        ["bash", "-c", f"{' '.join(CLI)} assess {pod} >&-; echo $? >&2; {' '.join(CLI)} assess - <&-"],
        capture_output=True,
        text=True,
        check=False,
    )
    said = run.stderr.splitlines()
    assert said == [
        "portability: standard output: is closed",
        "2",
        "-: cannot be read: standard input is closed",
    ]


def test_only_what_is_asked_for_is_imported(pod: str) -> None:
    """Starting is most of the time one file takes."""
    code = (
        "import sys; from portability.cli import main; main(sys.argv[1:]);"
        "print(*[m for m in sys.modules if m.startswith('portability.engine.output.')], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code, "assess", pod], capture_output=True, text=True, check=True)
    assert {name.rpartition(".")[2] for name in run.stderr.split()} == {"report", "terminal", "text"}


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    file = tmp_path / "fast.yaml"
    file.write_text(PINNED)

    def run(seed: str, form: str) -> bytes:
        arguments = ["assess", str(file), "--format", form, "--as-of", "2026-09-01"]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run([*CLI, *arguments], env=env, capture_output=True, check=False).stdout

    for form in ("text", "sarif", "csv"):
        assert run("1", form) == run("2", form) != b""
    json.loads(run("1", "sarif"))


@pytest.mark.parametrize("text", ["", "# Source: chart/templates/deployment.yaml\n---\n# switched off\n"])
def test_a_file_in_which_nothing_stands_is_not_assessed(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.yaml").write_text(text)
    assert main(["assess", str(tmp_path / "empty.yaml")]) == 0
    said = capsys.readouterr().out
    assert "NOT ASSESSED" in said and "nothing stands in it" in said and "judged by what it holds" not in said


def test_what_runs_nothing_is_said_to_be_a_fragment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.yaml").write_text("hello: world\n")
    assert main(["assess", str(tmp_path / "note.yaml")]) == 0
    assert "nothing that runs is in it" in capsys.readouterr().out
    main(["assess", str(tmp_path / "note.yaml"), "--format", "json"])
    assert json.loads(capsys.readouterr().out)["workloads"][0]["fragment"] is True
