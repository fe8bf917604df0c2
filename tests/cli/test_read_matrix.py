"""`portability read-matrix` as scripts use it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from portability.cli import main
from tests.engine.matrices.importers.samples import (
    FACTS,
    FEATURES,
    FEATURES_FACTS,
    as_html,
    as_rst,
    frameworks,
    systems,
)

ROCM = "rocm-compatibility-matrix"


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(as_html(systems(), frameworks()), encoding="utf-8")
    return str(path)


def test_facts_are_printed_unless_said_otherwise(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read-matrix", ROCM, page]) == 0
    assert json.loads(capsys.readouterr().out) == FACTS


def test_a_source_split_over_files_with_its_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for name, table in (("system.rst", systems()), ("ai.rst", frameworks())):
        (tmp_path / name).write_text(as_rst(table), encoding="utf-8")
        names.append(str(tmp_path / name))
    assert main(["read-matrix", ROCM, *names, "--version", "9.9.0", "--format", "facts"]) == 0
    assert json.loads(capsys.readouterr().out) == FACTS


def test_cells_are_printed_as_releases_hold_them(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read-matrix", ROCM, page, "--format", "cells"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["source"], printed["version"]) == (ROCM, "9.9.0")
    assert printed["cells"]["os/mi350p/ubuntu/24.04.9"] == {"value": "6.17", "note": "HWE kernel"}
    assert printed["cells"]["driver/mi300a"] == {"value": "39.20.1, 39.10.0"}


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(FEATURES.encode())))
    assert main(["read-matrix", "vllm-features", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == FEATURES_FACTS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([ROCM, "{page}", "--version", "9.9.1"], "page.html: describes ROCm 9.9.0, not 9.9.1"),
        (["vllm-features", "{page}"], "page.html: no table of features is in it"),
        (["vllm-installation", "{page}"], "vllm-installation: has no importer: its cells are entered by hand"),
        (["x", "{page}"], "x: no such source"),
        ([ROCM, "{page}.not"], "page.html.not: cannot be read: No such file"),
        ([ROCM, "{page}/.."], "cannot be read"),
    ],
)
def test_a_refusal_is_one_line_and_status_2(
    arguments: list[str], said: str, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read-matrix", *(argument.format(page=page) for argument in arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("portability: ") and captured.err.count("\n") == 1 and said in captured.err


def test_where_a_parser_is_missing_it_is_named(page: str) -> None:
    code = "import sys; sys.modules['html5lib'] = None; from portability.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "read-matrix", ROCM, page]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "portability: reading pages needs html5lib: install requirements/app.txt\n"


def test_no_other_command_imports_the_parsers() -> None:
    code = "import sys, portability.cli; print({'html5lib', 'docutils', 'markdown_it'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
