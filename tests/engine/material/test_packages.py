"""Lists of packages in the shapes that people have them."""

from __future__ import annotations

import pytest

from portability.engine.material.reading import read_material
from portability.engine.material.words import How

PYPROJECT = """\
[project]
dependencies = [
  "torch==2.4.0",
  "tensorrt>=10",
]
[project.optional-dependencies]
gpu = ["onnxruntime-gpu"]
[dependency-groups]
dev = ["nvitop", {include-group = "gpu"}]
[tool.poetry.dependencies]
cupy-cuda12x = "^13"
jax = {version = "*", extras = ["cuda12"]}
apex = {git = "https://github.com/NVIDIA/apex"}
[tool.poetry.group.test.dependencies]
pynvml = "*"
[[tool.uv.index]]
url = "https://download.pytorch.org/whl/cu124"
"""
CONDA = """\
name: train
channels: [nvidia, conda-forge]
dependencies:
  - pytorch-cuda=12.1
  - nvidia::cuda-toolkit
  - pip:
    - onnxruntime-gpu
"""
UV_LOCK = """\
version = 1

[[package]]
name = "torch"
version = "2.4.0+cu121"
source = { registry = "https://download.pytorch.org/whl/cu121" }

[[package]]
name = "anyio"
version = "4.0"
"""
INLINE = """\
#!/usr/bin/env python3
# /// script
# dependencies = [
#   "tensorrt",
# ]
# ///
import sys
"""


def packages(name: str, text: str) -> list[tuple[int, str]]:
    """The requirements of a file, with their lines."""
    return [(word.line, word.text) for word in read_material(name, text).words if word.how is How.PACKAGE]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("requirements.txt", "# c\nfastapi>=0.1 # web\n\n", [(2, "fastapi>=0.1")]),
        ("requirements-gpu.in", "a==2 \\\n  --hash=sha256:00 \\\n  --hash=sha256:11\nx\n", [(1, "a==2"), (4, "x")]),
        ("requirements/dev.txt", "-c limits.txt\ntorch\n", [(2, "torch")]),
        ("constraints.txt", "-e git+https://a/b#egg=apex\n", [(1, "-e git+https://a/b#egg=apex")]),
        ("pyproject.toml", PYPROJECT, [
            (3, "torch==2.4.0"), (4, "tensorrt>=10"), (7, "onnxruntime-gpu"), (9, "nvitop"), (11, "cupy-cuda12x ^13"),
            (12, "jax[cuda12] *"), (13, "apex"), (13, "apex @ https://github.com/NVIDIA/apex"), (15, "pynvml *"),
            (17, "https://download.pytorch.org/whl/cu124"),
        ]),
        ("Pipfile", '[[source]]\nurl = "https://pypi.nvidia.com"\n[packages]\nflask = "*"\n', [
            (2, "https://pypi.nvidia.com"), (4, "flask *"),
        ]),
        ("Pipfile.lock", '{"default": {\n"flask": {"version": "==1"}}}', [(2, "flask ==1")]),
        ("environment.yml", CONDA, [(4, "pytorch-cuda=12.1"), (5, "cuda-toolkit"), (7, "onnxruntime-gpu")]),
        ("uv.lock", UV_LOCK, [
            (4, "torch==2.4.0+cu121"), (6, "torch @ https://download.pytorch.org/whl/cu121"), (9, "anyio==4.0"),
        ]),
        ("setup.cfg", "[options]\ninstall_requires =\n  torch\n  tensorrt\n", [(3, "torch"), (4, "tensorrt")]),
        ("setup.py", 'A = ["pynvml"]\nsetup(install_requires=A, extras_require={"a": ["x"]})\n', [
            (1, "pynvml"), (2, "x"),
        ]),
        ("tool.py", INLINE, [(4, "tensorrt")]),
        ("serve.py", "import subprocess\nsubprocess.run('pip install a b', shell=True)\n", [(2, "a"), (2, "b")]),
        ("start.sh", "pip install a \\\n  b \\\n  && run c\nconda install -y d\n", [
            (1, "a"), (2, "b"), (4, "-y"), (4, "d"),
        ]),
        ("Dockerfile", "FROM x\nRUN pip install \\\n    a \\\n    b && c\n", [(3, "a"), (4, "b")]),
    ],
)  # fmt: skip
def test_each_requirement_with_its_line(name: str, text: str, expected: list[tuple[int, str]]) -> None:
    assert packages(name, text) == expected


def test_another_list_is_named() -> None:
    (word,) = read_material("requirements.txt", "-r base.txt\n").words
    assert (word.how, word.text, word.line) == (How.LISTS, "base.txt", 1)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("pyproject.toml", "[project]\ndependencies = [\n", 1),
        ("Pipfile.lock", '{\n"default": }', 2),
        ("environment.yml", "dependencies:\n  - [a\n", 1),
        ("setup.cfg", "install_requires =\n  x\n", 1),
    ],
)
def test_what_cannot_be_read_is_said(name: str, text: str, line: int) -> None:
    read = read_material(name, text)
    assert read.unread is not None
    assert read.unread.line >= line
    assert read.lists_packages


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("FROM x\nRUN <<EOF\npip install cupy\nEOF\n", 3),
        ("FROM x\nRUN <<-'END' bash -e\n\tset -x\n\tpip install \\\n\t  a cupy\nEND\n", 5),
        ("FROM x\nONBUILD RUN pip install cupy\n", 2),
        ("FROM x\nLABEL a=b\nrun pip install cupy\n", 3),
    ],
)
def test_a_dockerfiles_scripts_are_read_as_such(text: str, line: int) -> None:
    words = read_material("Dockerfile", text).words
    assert (line, "cupy") in [(word.line, word.text) for word in words if word.how is How.PACKAGE]


def test_a_base_that_is_not_written_out_is_asked_for() -> None:
    """What it is built on may be anybody's."""
    unread = read_material("Dockerfile", "ARG A=ubuntu\nFROM $A\nARG BASE\nFROM ${BASE} AS b\n").unread
    assert unread is not None
    assert (unread.line, unread.why) == (4, "${BASE} has no default")
    assert read_material("Dockerfile", "ARG A=ubuntu\nFROM $A AS b\nFROM b\nCOPY --from=b /a $HOME\n").unread is None
