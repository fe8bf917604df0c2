"""PAR002: modes on which the sources differ."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("part", "style", "fires"),
    [
        ("mi300x", "spx_nps1", False),
        ("mi300x", "cpx_nps4", False),
        ("mi300x", "qpx_nps4", True),
        ("mi355x", "dpx_nps2", True),
        ("mi210", "cpx_nps1", True),
    ],
)
def test_modes(part: str, style: str, fires: bool) -> None:
    findings = found("PAR002", target={"part": part, "partitions": {style: 8}})
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])
    assert all("amd-smi" in f.remedy for f in findings)


def test_both_sources_are_named() -> None:
    (finding,) = found("PAR002", target={"partitions": {"qpx_nps4": 8}})
    assert {e.source for e in finding.evidence} == {"amd-workload-optimization", "amdgpu-partitioning"}
