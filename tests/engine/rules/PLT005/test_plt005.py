"""PLT005: the cluster against the envelope, narrowed by the part."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

OPENSHIFT = {"kubernetes": None, "os": {"family": "rhcos", "version": "4.18"}}


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ({"kubernetes": "1.28"}, Effect.CHANGE),
        ({"kubernetes": "1.29.4"}, None),
        ({"kubernetes": "1.36"}, None),
        ({"kubernetes": "1.37"}, Effect.CHANGE),
        ({"kubernetes": "1.4"}, Effect.CHANGE),
        ({"kubernetes": "1"}, Effect.CONFIRM),
        ({"kubernetes": None}, Effect.CONFIRM),
        ({"operator": "1.9.0"}, Effect.CONFIRM),
        ({"operator": None}, Effect.CONFIRM),
        ({**OPENSHIFT, "openshift": "4.18"}, None),
        ({**OPENSHIFT, "openshift": "4.15"}, Effect.CHANGE),
        ({**OPENSHIFT, "openshift": "4.18", "part": "mi350p"}, Effect.CHANGE),
        ({**OPENSHIFT, "openshift": "4.21", "part": "mi350p"}, None),
        ({**OPENSHIFT, "openshift": "4.21", "part": "ai-r9700s"}, Effect.CHANGE),
    ],
)
def test_cluster(target: dict[str, str | None], effect: Effect | None) -> None:
    assert [f.effect for f in found("PLT005", target=target)] == ([effect] if effect else [])
