"""SRV007: the runtime that the engine needs on the part."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import vllm


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ({"part": "mi350x", "rocm": "6.4.0"}, Effect.CHANGE),
        ({"part": "mi350x", "rocm": "7.0.0"}, None),
        ({"part": "mi300x", "rocm": "6.2.4"}, Effect.CHANGE),
        ({"part": "mi300x", "rocm": "6.10.0"}, None),
        ({"part": "max-pro-395", "rocm": "7.0.1"}, Effect.CHANGE),
        ({"rocm": "newest"}, None),
        ({"rocm": None}, Effect.CONFIRM),
        ({"part": "mi100"}, None),  # not listed at all: SRV005's
    ],
)
def test_floor(target: dict[str, str | None], effect: Effect | None) -> None:
    findings = found("SRV007", workload=vllm(), target=target)
    assert [f.effect for f in findings] == ([effect] if effect else [])
