"""PLT006: the operating system against the operator's matrix."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("family", "version", "fires"),
    [
        ("ubuntu", "24.04.4", False),
        ("ubuntu", "26.04", True),
        ("debian", "12", False),
        ("debian", "13", True),
        ("rhel", "9.6", True),
        ("rhcos", "4.18", False),
    ],
)
def test_system(family: str, version: str, fires: bool) -> None:
    findings = found("PLT006", target={"os": {"family": family, "version": version}})
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])
