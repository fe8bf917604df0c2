"""Whatever writes leaves an entry of the history: found by reading the actions of every room."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.workloads.models import Workload
from tests.addresses import filled, walk
from tests.conftest import Cast

pytestmark = pytest.mark.database

ROOT = Path(__file__).parents[2] / "portability"
WRITES = {"save", "create", "bulk_create", "bulk_update", "update", "delete", "get_or_create", "update_or_create"}
# Files that are no export: pages of others as they were read, and what was in the history when it was made.
FILES = {"matrices:document", "exports:file"}
# Public functions of actions that write and leave no entry of their own, and why.
WITHOUT = {
    "audit/actions.py": {"record": "it is the entry"},
    "register/actions.py": {"let_stand": "a part of the act that changes what judges, which records itself"},
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the rooms."""
    for path in sorted(ROOT.rglob("*.py")):
        if "migrations" not in path.parts and "engine" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def acts(name: str) -> bool:
    """Whether a module holds actions."""
    *folders, file = name.split("/")
    return file == "actions.py" or file.endswith("_actions.py") or "actions" in folders


def called(function: ast.FunctionDef) -> set[str]:
    """The names that a function calls, of methods too."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                names.add(node.func.id)
            elif isinstance(node.func, ast.Attribute):
                names.add(node.func.attr)
    return names


def silent(found: dict[str, ast.Module]) -> list[str]:
    """Public functions that write and reach no `record`, of actions or with a person who acts (`who`).

    What a private function beside one writes counts as its own.
    """
    calls: dict[str, set[str]] = {}
    for module in found.values():
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef):
                calls.setdefault(function.name, set()).update(called(function))
    recording = {"record"}
    while more := {name for name, names in calls.items() if names & recording} - recording:
        recording |= more
    wrong = []
    for name, module in found.items():
        private = {f.name: called(f) for f in module.body if isinstance(f, ast.FunctionDef)}
        for function in module.body:
            if not isinstance(function, ast.FunctionDef) or function.name.startswith("_"):
                continue
            if not acts(name) and "who" not in {argument.arg for argument in function.args.args}:
                continue
            names = called(function)
            written = names | {n for p in names & private.keys() if p.startswith("_") for n in private[p]}
            if written & WRITES and not names & recording and function.name not in WITHOUT.get(name, {}):
                wrong.append(f"{name}: {function.name}")
    return wrong


def test_every_act_is_in_the_history() -> None:
    assert silent(dict(modules())) == []


def test_an_act_without_an_entry_is_found() -> None:
    """The test above would fail for an action that records nothing."""
    act = ast.parse("def rename(who, team, name):\n    _write(team)\ndef _write(team):\n    team.save()\n")
    assert silent({"teams/actions.py": act}) == ["teams/actions.py: rename"]
    good = ast.parse("def rename(who, team):\n    team.save()\n    _told(who)\ndef _told(who):\n    record(who)\n")
    assert silent({"teams/actions.py": good}) == []


def test_what_is_excepted_is_there() -> None:
    found = dict(modules())
    for name, functions in WITHOUT.items():
        defined = {f.name for f in found[name].body if isinstance(f, ast.FunctionDef)}
        assert functions.keys() <= defined, name


def test_every_file_that_is_taken_away_is_in_the_history(
    cast: Cast, registered: Workload, client_of: Callable[[Person | None], Client]
) -> None:
    everyone = cast.member
    everyone.architect = everyone.curator = everyone.administrator = True
    everyone.save()
    client = client_of(everyone)
    files, unsaid = 0, []
    for address in walk():
        answer = client.get(filled(address))
        if answer.streaming:
            b"".join(answer)
        if answer.status_code == 200 and "attachment" in answer.headers.get("Content-Disposition", ""):
            files += 1
            newest = Entry.objects.latest("pk")
            if not (newest.action.endswith(".exported") and newest.who == everyone) and address.name not in FILES:
                unsaid.append(address.name)
            Entry.objects.create(who_name="system", action="test.between", subject="two addresses")
    assert unsaid == []
    assert files > len(FILES) + 3
