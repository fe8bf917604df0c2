"""A finding keeps its identity while the manifest is only written otherwise: what a decision on it will hang on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from portability.engine.assess import Judge
from portability.engine.manifests import read_facts
from portability.engine.matrices import shipped
from portability.engine.model import Declared
from portability.engine.output.json import finding_to_json
from portability.engine.targets import parse_target, shipped_targets
from tests.bench.manifests import texts

_FILES = [text for text in texts(150_000, seed=7) if "apiVersion" in text]
_JUDGE = Judge(parse_target(shipped_targets()["mi300x-single"], "target"), shipped.knowledge())


def _identities(text: str) -> set[tuple[str, str]]:
    judged = _JUDGE.assess(read_facts([("serving.yaml", text)]), Declared())
    found = (finding_to_json(f, "serving", "mi300x-single") for f in judged.findings if f.about == "workload")
    return {(f["rule"], f["identity"]) for f in found}


def _documents(text: str) -> list[Any]:
    return list(yaml.load_all(text, yaml.CBaseLoader))


def _written(documents: list[Any], indent: int = 2) -> str:
    return yaml.dump_all(documents, sort_keys=False, indent=indent, default_style='"', width=10_000)


def _shuffled(value: Any, dice: random.Random) -> Any:
    """Names in another order; lists keep theirs, as it may mean something."""
    if isinstance(value, dict):
        names = list(value)
        dice.shuffle(names)
        return {name: _shuffled(value[name], dice) for name in names}
    return [_shuffled(item, dice) for item in value] if isinstance(value, list) else value


def _with_sidecar(value: Any) -> Any:
    if isinstance(value, dict):
        inner = {name: _with_sidecar(child) for name, child in value.items()}
        if isinstance(inner.get("containers"), list):
            inner["containers"] = [{"name": "log", "image": "busybox:1.36"}, *inner["containers"]]
        return inner
    return [_with_sidecar(item) for item in value] if isinstance(value, list) else value


_OTHERWISE: dict[str, Callable[[str], str]] = {
    "indented otherwise": lambda text: _written(_documents(text), indent=6),
    "names in another order": lambda text: _written(_shuffled(_documents(text), random.Random(text))),
    "a container put before": lambda text: _written(_with_sidecar(_documents(text))),
    "comments and empty lines": lambda text: "# moved\n\n" + text.replace("\nspec:", "\n\n# what runs\nspec:"),
    "documents in another order": lambda text: _written(_documents(text)[::-1]),
}


@pytest.mark.parametrize("how", _OTHERWISE)
def test_what_is_only_written_otherwise_keeps_its_findings_identities(how: str) -> None:
    compared = 0
    for text in _FILES:
        before = _identities(text)
        assert _identities(_OTHERWISE[how](text)) == before, text
        compared += len(before)
    assert compared > 100
