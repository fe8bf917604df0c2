"""PLT012: the operator's list of hardware."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(("part", "fires"), [("mi300x", False), ("mi300a", True), ("mi250x", True), ("w7900", False)])
def test_part(part: str, fires: bool) -> None:
    findings = found("PLT012", target={"part": part})
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])
