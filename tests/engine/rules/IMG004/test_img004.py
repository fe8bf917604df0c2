"""IMG004: images that are not pinned."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import POD_WITH_IMAGE


@pytest.mark.parametrize("tag", ["", ":latest", ":nightly", ":main", ":2.0-latest"])
def test_it_floats(tag: str) -> None:
    (finding,) = found("IMG004", POD_WITH_IMAGE % (f"registry.example:5000/rocm/vllm{tag}", "amd.com/gpu"))
    assert finding.effect is Effect.NOTE


@pytest.mark.parametrize("tag", [":v1.2.3", f"@sha256:{'0' * 64}", f":latest@sha256:{'0' * 64}"])
def test_it_is_pinned(tag: str) -> None:
    assert not found("IMG004", POD_WITH_IMAGE % (f"registry.example:5000/rocm/vllm{tag}", "amd.com/gpu"))
