"""KNO002: pages that moved or were retired."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("target", "sources"),
    [
        ({}, set()),
        ({"amdgpu": "6.4.3"}, {"user-kernel-space-matrix"}),
        ({"part": "rx-7900-xtx"}, {"rocm-on-radeon"}),
        ({"part": "rx-7900-xtx", "rocm": "10.0.0"}, {"user-kernel-space-matrix"}),
    ],
)
def test_pages(target: dict[str, str], sources: set[str]) -> None:
    findings = found("KNO002", target=target)
    assert {f.value for f in findings} == sources
    assert {f.effect for f in findings} <= {Effect.NOTE}
