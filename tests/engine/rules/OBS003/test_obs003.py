"""OBS003: what an audit asks node labels for."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

LABELS = {
    "amd.com/gpu.driver-version": "6.14",
    "amd.com/gpu.compute-memory-partition": "spx_nps1",
    "example.com/rocm-version": "7.14.0",
}


@pytest.mark.parametrize("lacking", [*LABELS, None])
def test_labels(lacking: str | None) -> None:
    labels = {key: value for key, value in LABELS.items() if key != lacking}
    findings = found("OBS003", target={"node_labels": labels})
    assert [f.effect for f in findings] == ([Effect.NOTE] if lacking else [])
