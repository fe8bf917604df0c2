"""PLT007: a driver managed by the operator."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("family", "version", "managed", "effect"),
    [
        ("debian", "12", True, Effect.CHANGE),
        ("debian", "12", False, None),
        ("ubuntu", "24.04.4", True, None),
        ("rhcos", "4.18", True, None),
        ("sles", "15.7", True, Effect.CONFIRM),
    ],
)
def test_management(family: str, version: str, managed: bool, effect: Effect | None) -> None:
    target = {"os": {"family": family, "version": version}, "driver_managed": managed}
    assert [f.effect for f in found("PLT007", target=target)] == ([effect] if effect else [])
