"""PLT003: the driver against the enumerated list."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ({"amdgpu": "30.10.0"}, None),
        ({"amdgpu": "30.10.9"}, Effect.CHANGE),
        ({"amdgpu": "30.1.0"}, Effect.CHANGE),
        ({"amdgpu": "6.4.3"}, Effect.CHANGE),
        ({"amdgpu": "31.40"}, Effect.CONFIRM),
        ({"amdgpu": None}, Effect.CONFIRM),
        ({"rocm": "7.12.0", "amdgpu": "31.40.1"}, Effect.CHANGE),
        ({"rocm": "10.0.0"}, Effect.CONFIRM),
        ({"rocm": "8.8.0"}, Effect.CONFIRM),
        ({"part": "rx-7900-xtx"}, Effect.CONFIRM),
    ],
)
def test_driver(target: dict[str, str | None], effect: Effect | None) -> None:
    assert [f.effect for f in found("PLT003", target=target)] == ([effect] if effect else [])


def test_the_remedy_says_what_class_of_change_it_is() -> None:
    (finding,) = found("PLT003", target={"amdgpu": "30.10.9"})
    assert "reboot" in finding.remedy
    assert "maintenance window" in finding.remedy
    assert "container image" in finding.remedy


def test_where_the_list_is_silent_the_operators_floor_is_named() -> None:
    (finding,) = found("PLT003", target={"part": "mi350p", "rocm": "10.0.0", "amdgpu": "30.20.0"})
    assert finding.effect is Effect.CONFIRM
    assert ">=31.40" in finding.reason
    assert {e.source for e in finding.evidence} == {"rocm-compatibility-matrix", "gpu-operator-platforms"}
