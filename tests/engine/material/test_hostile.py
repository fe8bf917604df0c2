"""Texts made to be slow to read: an answer in time, and never a yes to what was not read."""

from __future__ import annotations

from time import monotonic

import pytest

from portability.engine.material.reading import MAX_WORDS, read_material
from tests.engine.rules.judging import judge

SLOW = {
    "requirements.txt": [" " * 500_000 + "#", "a \\\n" * 200_000, "torch==1\n" * 100_000, "[" * 500_000],
    "pyproject.toml": [
        "[project]\ndependencies=[" + ",".join(f'"p\\u0041{n}"' for n in range(50_000)) + "]",
        "x=" + "[" * 100_000,
    ],
    "m.py": ["# /// script\n" * 50_000, "import a\n" * 100_000, "'" + "nvidia " * 100_000 + "'"],
    "a.sh": ["pip install " * 80_000, 'echo "' * 100_000, "nvidia-smi " * 80_000],
    "k.cu": ["/*" * 400_000, "#include <cuda_runtime.h> " * 40_000],
    "Dockerfile": ["FROM ${A}\n" * 50_000, "RUN " + "--mount=a " * 100_000, "CMD " + "[" * 100_000],
    "n.ipynb": [
        '{"cells":' + "[" * 100_000,
        '{"cells": [{"cell_type": "code", "source": "' + "x\\n" * 100_000 + '"}]}',
    ],
    "environment.yml": ["dependencies:\n" + "- a=1=b\n" * 100_000],
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in SLOW.items() for text in texts], ids=lambda value: value[:24]
)
def test_it_is_read_and_judged_in_time(name: str, text: str) -> None:
    start = monotonic()
    judge(workload={"model_kind": "decoder-only", "source_files": {name: text}})
    assert monotonic() - start < 10


def test_beyond_the_limit_it_is_not_passed() -> None:
    read = read_material("requirements.txt", "".join(f"p{n}\n" for n in range(MAX_WORDS + 1)))
    assert len(read.words) == MAX_WORDS
    assert read.unread is not None and read.unread.line == MAX_WORDS
