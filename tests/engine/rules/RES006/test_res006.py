"""RES006: one name on a node of several styles."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

TWO = {"spx_nps1": 5, "cpx_nps1": 3}


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ({"partitions": TWO}, Effect.CHANGE),
        ({"partitions": TWO, "resource_naming": "mixed"}, None),
        ({"partitions": {"cpx_nps4": 8}}, None),
        ({"partitions": {"cpx_nps4": 8, "spx_nps1": 0}}, None),
        ({"advertises": {"amd.com/spx_nps1": 5, "amd.com/cpx_nps1": 24}}, Effect.CONFIRM),
    ],
)
def test_naming(target: dict[str, object], effect: Effect | None) -> None:
    assert [f.effect for f in found("RES006", target=target)] == ([effect] if effect else [])
