"""PLT004: a dated claim, beside PLT003 and never instead of it."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ({"rocm": "10.0.0", "amdgpu": "31.40.1"}, Effect.CONFIRM),
        ({"rocm": "10.0.0", "amdgpu": "30.10.0"}, Effect.NOTE),
        ({"amdgpu": "6.4.3"}, Effect.NOTE),
        ({"amdgpu": "31.40.1"}, None),
        ({"amdgpu": None}, None),
    ],
)
def test_window(target: dict[str, str | None], effect: Effect | None) -> None:
    findings = found("PLT004", target=target)
    assert [f.effect for f in findings] == ([effect] if effect else [])
    if findings:
        assert found("PLT003", target=target)
        assert "moved" in findings[0].reason


def test_both_dates_are_evidence() -> None:
    (finding,) = found("PLT004", target={"rocm": "10.0.0"})
    assert {e.value for e in finding.evidence} >= {"2026-07-15", "2026-08-26"}
