"""PLT007: a driver managed by the operator."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portability.engine.assess import Judge
from portability.engine.matrices.knowledge import Cell, Knowledge
from portability.engine.matrices.shipped import knowledge
from portability.engine.model import Declared, Effect, Facts
from portability.engine.targets import parse_target, shipped_targets
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


def test_a_page_that_leaves_it_open_is_no_refusal() -> None:
    key = "platform/debian/12/driver-management"
    releases = [
        replace(r, cells={**r.cells, key: Cell(key, "unknown")}) if key in r.cells else r
        for r in knowledge().releases()
    ]
    spec = {**shipped_targets()["mi300x-single"], "os": {"family": "debian", "version": "12"}, "driver_managed": True}
    judge = Judge(parse_target(spec, "example"), Knowledge(knowledge().sources.values(), releases))
    (finding,) = [f for f in judge.assess(Facts(), Declared()).findings if f.rule == "PLT007"]
    assert finding.effect is Effect.CONFIRM
    assert finding.evidence[0].value == "unknown"
