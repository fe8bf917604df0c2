"""APP002: packages of one vendor."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("tensorrt==10.9", Effect.BLOCKS),
        ("nvidia-dali-cuda120", Effect.BLOCKS),
        ("Nvidia_ML.py>=12", Effect.CHANGE),
        ("cupy-cuda12x", Effect.CHANGE),
        ("torch==2.9.0+cu128", Effect.CHANGE),
        ("jax[cuda12]==0.6.0", Effect.CHANGE),
        ("--extra-index-url https://download.pytorch.org/whl/cu128", Effect.CHANGE),
        ("flash-attn", Effect.CONFIRM),
        ("bitsandbytes>=0.45", Effect.CONFIRM),
    ],
)
def test_requirements(line: str, effect: Effect) -> None:
    (finding,) = found("APP002", workload={"python_requirements": f"# a comment\n{line}\nfastapi\n"})
    assert finding.effect is effect
    assert finding.place is not None
    assert finding.place.line == 2


@pytest.mark.parametrize("line", ["torch==2.11.0", "tritonclient[grpc]", "torch==2.9.0+rocm7.0", "nvidia"])
def test_nobodys_or_the_targets(line: str) -> None:
    assert not found("APP002", workload={"python_requirements": line})


def test_an_install_in_a_command_is_found_and_its_options_are_not() -> None:
    pod = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  containers:\n  - name: x\n    image: python:3.12\n"
        "    command: [sh, -c, 'uv pip install -q fastapi \"onnxruntime-gpu>=1.20\" && python tensorrt.py']\n"
    )
    (finding,) = found("APP002", pod)
    assert "onnxruntime-rocm" in finding.remedy
