"""PLT010: the floor and the gate of allocation by DRA."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ({"kubernetes": "1.31"}, Effect.CHANGE),
        ({"kubernetes": "1.32"}, Effect.CHANGE),
        ({"kubernetes": "1.33", "feature_gates": ["DynamicResourceAllocation"]}, None),
        ({"kubernetes": "1.33", "feature_gates": ["DynamicResourceAllocation=true"]}, None),
        ({"kubernetes": "1.33", "feature_gates": ["DynamicResourceAllocation=false"]}, Effect.CHANGE),
        ({"kubernetes": "1.34"}, None),
        ({"kubernetes": "1.4"}, Effect.CHANGE),
        ({"kubernetes": None, "openshift": "4.20"}, Effect.CONFIRM),
        ({"operator": "1.9.0"}, Effect.CONFIRM),
    ],
)
def test_dra(target: dict[str, object], effect: Effect | None) -> None:
    findings = found("PLT010", target={"allocation": "dra", **target})
    assert [f.effect for f in findings] == ([effect] if effect else [])


def test_a_device_plugin_needs_no_floor() -> None:
    assert not found("PLT010", target={"kubernetes": "1.31"})
