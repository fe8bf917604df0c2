"""Commands that do not prepare a register say so where there is none, and make no file."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.ops.running import environment, manage


@pytest.mark.parametrize("command", [("passwords", "ann"), ("report", "2026-Q4")])
def test_without_a_register_a_command_names_those_there_are(tmp_path: Path, command: tuple[str, ...]) -> None:
    env = environment(tmp_path, PORTABILITY_REGISTER="typo")
    nothing = manage(env, *command, ok=False)
    assert nothing.returncode and "There is no register typo in" in nothing.stderr
    assert "Start the product first: make run." in nothing.stderr and "Traceback" not in nothing.stderr
    (tmp_path / "mine.sqlite3").touch()
    (tmp_path / "mine.before-migrating-20261130-071500.sqlite3").touch()
    others = manage(env, *command, ok=False)
    assert "PORTABILITY_REGISTER names one of these: mine." in others.stderr
    assert not (tmp_path / "typo.sqlite3").exists()


def test_a_register_of_another_version_is_left_alone(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "old.sqlite3").close()
    said = manage(environment(tmp_path, PORTABILITY_REGISTER="old"), "report", "2026-Q4", ok=False)
    assert said.returncode and "The register is of another version." in said.stderr
    assert "Traceback" not in said.stderr
