"""The plugin that lets nothing be skipped where CI=true."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPS = """
import pytest
def test_ok(): pass
def test_skips(): pytest.skip("no chromium here")
@pytest.mark.xfail
def test_known(): assert False
"""


def _run(folder: Path, ci: str, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:django", "-p", "no:cacheprovider", "-ra"]
    command += ["-p", "tests.plugins.no_skips", "--rootdir", str(folder), str(folder)]
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_skip_fails_in_ci_and_says_why(tmp_path: Path) -> None:
    done = _run(tmp_path, "true", SKIPS)
    assert done.returncode == 1
    assert "1 failed, 1 passed, 1 xfailed" in done.stdout
    assert "no chromium here" in done.stdout


def test_a_skip_is_a_skip_elsewhere(tmp_path: Path) -> None:
    done = _run(tmp_path, "", SKIPS)
    assert done.returncode == 0
    assert "1 passed, 1 skipped, 1 xfailed" in done.stdout


@pytest.mark.parametrize(("ci", "status"), [("true", 2), ("", 5)])
def test_a_whole_file_that_skips_itself(tmp_path: Path, ci: str, status: int) -> None:
    text = "import pytest\npytest.skip('none of it', allow_module_level=True)\ndef test_x(): pass\n"
    done = _run(tmp_path, ci, text)
    assert done.returncode == status
    assert "none of it" in done.stdout
