"""SRV004: the engine does not support the quantization method on the target's hardware."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import VLLM_QUANTIZATION
from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.subject import Subject, Use, of_vllm
from portability.engine.rules.subjects import column


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """A finding for each method whose cell says unsupported; open cells are SRV002's."""
    on = _column(ground)
    for subject in of_vllm(served):
        for use in subject.uses:
            if use.asked.source != VLLM_QUANTIZATION or on is None:
                continue
            cell = ground.ledger.cell(VLLM_QUANTIZATION, f"hardware/{use.asked.row}/{on}")
            if cell is None or cell.value != "unsupported":
                continue
            cells = ground.ledger.cells(VLLM_QUANTIZATION, "hardware/")
            open_ = [c.key.split("/")[1] for c in cells if c.key.endswith(f"/{on}") and c.value == "supported"]
            instead = f"one that vLLM supports on {on} ({', '.join(open_)})" if open_ else "no quantization"
            yield RULE.finding(
                _effect(use),
                f"The model is served with {use.said}{_how(use)}, and vLLM does not support {use.asked.row} on {on}.",
                f"Serve a checkpoint quantized by {instead}, or the unquantized one where memory suffices.",
                place=use.place,
                value=use.said,
                evidence=[ground.ledger.evidence(VLLM_QUANTIZATION, cell)],
            )


def _column(ground: Ground) -> str | None:
    return column(ground, VLLM_QUANTIZATION)


def _effect(use: Use) -> Effect:
    """What only the checkpoint's name tells is to be confirmed."""
    if use.origin == "inferred" and not use.required:
        return Effect.CONFIRM
    return Effect.BLOCKS if use.required else Effect.CHANGE


def _how(use: Use) -> str:
    return ", which is inferred from the checkpoint's name" if use.origin == "inferred" else ""


_VLLM = {"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1}
RULE = Rule(
    id="SRV004",
    name="quantization-unsupported",
    class_="FEATURE",
    why="Quantized weights need kernels of the hardware they run on, and most methods have them for one vendor only.",
    fix="Serve a checkpoint in a method that the target supports.",
    references=("https://docs.vllm.ai/en/stable/features/quantization/",),
    reads=("the quantization of each serving container, and the declared one",),
    examples=(
        Example("hit", "AWQ on AMD", workload={**_VLLM, "features": ["quantization=awq"]}, effect=Effect.CHANGE),
        Example(
            "hit",
            "AWQ on AMD, required",
            workload={**_VLLM, "features": [{"name": "quantization=awq", "required": True}]},
            effect=Effect.BLOCKS,
        ),
        Example("miss", "FP8 on AMD", workload={**_VLLM, "features": ["quantization=fp8"]}),
        Example(
            "unknown",
            "a method without a row is not called unsupported: SRV002 asks to confirm it",
            workload={**_VLLM, "features": ["quantization=quark"]},
            effect=Effect.CONFIRM,
            by="SRV002",
        ),
    ),
    serving=serving,
    asks=_column,
)
