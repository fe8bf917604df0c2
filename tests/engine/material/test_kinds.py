"""What a file is, and where it belongs."""

from __future__ import annotations

import pytest

from portability.engine.material.kinds import Kind, is_manifest, is_material, kind_of

CONDA = "name: x\ndependencies:\n  - python\n"
POD = "apiVersion: v1\nkind: Pod\n"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("src/serve.py", Kind.PYTHON),
        ("a.ipynb", Kind.NOTEBOOK),
        ("requirements.txt", Kind.REQUIREMENTS),
        ("gpu-requirements.in", Kind.REQUIREMENTS),
        ("constraints-3.11.txt", Kind.REQUIREMENTS),
        ("pyproject.toml", Kind.TOML_PACKAGES),
        ("Pipfile", Kind.TOML_PACKAGES),
        ("uv.lock", Kind.TOML_PACKAGES),
        ("Pipfile.lock", Kind.JSON_LOCK),
        ("environment.yml", Kind.CONDA),
        ("Dockerfile", Kind.DOCKERFILE),
        ("Dockerfile.gpu", Kind.DOCKERFILE),
        ("serve.Containerfile", Kind.DOCKERFILE),
        ("start.sh", Kind.SHELL),
        ("kernel.cu", Kind.C),
        ("README.md", Kind.PROSE),
        ("notes", Kind.OTHER),
    ],
)
def test_by_name(name: str, kind: Kind) -> None:
    assert kind_of(name, CONDA if kind is Kind.CONDA else "") is kind


def test_by_the_first_line() -> None:
    assert kind_of("serve", "#!/usr/bin/env python3\n") is Kind.PYTHON
    assert kind_of("start", "#!/bin/bash -e\n") is Kind.SHELL


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("serve.py", "", True),
        ("requirements.txt", "", True),
        ("environment.yaml", CONDA, True),
        ("main.go", "", True),
        ("environment.yaml", POD, False),
        ("serving.yaml", POD, False),
        ("values.json", "{}", False),
        ("README.md", "", False),
        ("notes.txt", "", False),
    ],
)
def test_what_belongs_to_application_material(name: str, text: str, expected: bool) -> None:
    assert is_material(name, text) is expected


def test_a_manifest_is_told_from_other_yaml() -> None:
    assert is_manifest("a.yaml", POD)
    assert is_manifest("a.json", '{\n"apiVersion": "v1",\n"kind": "Pod"}')
    assert not is_manifest("environment.yml", CONDA)
    assert not is_manifest("a.py", POD)
