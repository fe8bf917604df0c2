"""SRV003: pairs of features."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import vllm


@pytest.mark.parametrize(
    ("features", "fires"),
    [
        (["lora", "speculative-decoding"], True),
        (["speculative-decoding", "lora"], True),
        (["lora", "prefix-caching"], False),
        (["lora", "speculative-decoding=false"], False),
        (["best-of", "async-output"], True),
    ],
)
def test_pairs(features: list[str], fires: bool) -> None:
    findings = found("SRV003", workload=vllm(features=features))
    assert [f.effect for f in findings] == ([Effect.NOTE] if fires else [])
