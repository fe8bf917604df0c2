"""SRV002: what the tables leave open."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import VLLM_POD, vllm


@pytest.mark.parametrize(
    ("declared", "fires"),
    [
        ({"features": ["prompt-embeds"]}, True),
        ({"features": ["prompt-embeds=false"]}, False),
        ({"features": ["async-scheduling"]}, True),
        ({"features": ["quantization=quark"]}, True),
        ({"features": ["quantization=awq"]}, False),
        ({"features": ["kv-cache-dtype=fp8", "expert-parallel", "enforce-eager"]}, False),
        ({"features": ["kv-cache-dtype=nvfp4"]}, True),
        ({"model_kind": "diffusion"}, True),
        ({"model_kind": None, "model": "/models/current"}, True),
        ({"model_kind": None, "model": "/models/current", "engine": "tgi"}, False),
        ({"engine": None, "model_kind": "encoder-decoder"}, True),
        ({"engine": "faster-whisper", "model_kind": "encoder-decoder"}, False),
    ],
)
def test_declared(declared: dict[str, object], fires: bool) -> None:
    findings = found("SRV002", workload=vllm(**declared))
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])


def test_a_kind_that_nobody_tells_is_confirmed_at_the_model() -> None:
    (finding,) = found("SRV002", VLLM_POD.replace("MODEL", "acme/house-special"))
    assert finding.effect is Effect.CONFIRM
    assert finding.place is not None
    assert finding.place.line == 9


def test_where_every_kind_is_supported_the_kind_need_not_be_told() -> None:
    untold = vllm(model_kind=None, model="/models/current")
    assert not found("SRV002", workload=untold, target={"vendor": "nvidia", "part": "h100"})


def test_a_part_without_a_column_is_confirmed() -> None:
    findings = found("SRV002", workload=vllm(features=["lora"]), target={"vendor": "nvidia", "part": "b200"})
    assert [f.effect for f in findings] == [Effect.CONFIRM]
    assert not found("SRV002", workload=vllm(), target={"vendor": "nvidia", "part": "b200"})
