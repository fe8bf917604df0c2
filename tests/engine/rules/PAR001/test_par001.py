"""PAR001: memory partitions against compute partitions."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("part", "style", "effect"),
    [
        ("mi300x", "spx_nps4", Effect.CHANGE),
        ("mi300x", "dpx_nps2", None),
        ("mi300x", "dpx_nps4", Effect.CHANGE),
        ("mi300x", "qpx_nps4", None),
        ("mi300x", "cpx_nps4", None),
        ("mi355x", "spx_nps2", Effect.CHANGE),
        ("mi355x", "dpx_nps2", Effect.CONFIRM),
        ("mi355x", "cpx_nps1", None),
    ],
)
def test_styles(part: str, style: str, effect: Effect | None) -> None:
    findings = found("PAR001", target={"part": part, "partitions": {style: 8}})
    assert [f.effect for f in findings] == ([effect] if effect else [])
