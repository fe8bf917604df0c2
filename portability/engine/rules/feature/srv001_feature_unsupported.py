"""SRV001: the engine does not support the model kind, or a feature in use, on the target's hardware."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.features import is_architecture
from portability.engine.matrices.keys import VLLM_FEATURES
from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.subject import Subject, Use, of_vllm
from portability.engine.rules.subjects import column


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """A finding for each use whose cell says unsupported."""
    for subject in of_vllm(served):
        for use in subject.uses:
            if use.asked.source == VLLM_FEATURES and (finding := _judge(ground, use)):
                yield finding


def _judge(ground: Ground, use: Use) -> Finding | None:
    on = column(ground, VLLM_FEATURES)
    cell = ground.ledger.cell(VLLM_FEATURES, f"hardware/{use.asked.row}/{on}") if on else None
    if cell is None or cell.value != "unsupported":
        return None
    how = ", which is inferred from the model's name" if use.origin == "inferred" else ""
    if is_architecture(use.asked.row):
        reason = f"The model is {use.asked.row}{how}, and vLLM does not support {use.asked.row} models on {on}."
        remedy = (
            f"Keep the workload where it is, or serve the model with another engine that supports it on {on};"
            " look again when vLLM's table changes."
        )
    else:
        reason = f"{use.said} is in use, and vLLM does not support {use.asked.row} on {on}."
        remedy = (
            f"The workload is declared to require it: keep it where it is, or do without {use.asked.row}."
            if use.required
            else f"Switch {use.asked.row} off for this target, or declare it required if the workload needs it."
        )
    return RULE.finding(
        Effect.BLOCKS if use.required else Effect.CHANGE,
        reason,
        remedy,
        place=use.place,
        value=use.said,
        evidence=[ground.ledger.evidence(VLLM_FEATURES, cell)],
    )


RULE = Rule(
    id="SRV001",
    name="feature-unsupported",
    class_="FEATURE",
    why=(
        "An engine that runs on both vendors does not do everything on both. What a model is cannot be left out;"
        " what it is served with often can."
    ),
    fix="Do without the feature on this target, use another engine for the model, or keep the workload where it is.",
    references=("https://docs.vllm.ai/en/stable/features/",),
    reads=("model kind and features of each serving container, and declared ones",),
    examples=(
        Example(
            "hit",
            "encoder-decoder models are unsupported on AMD: a model's architecture is always required",
            workload={"engine": "vllm", "model_kind": "encoder-decoder", "gpus_per_replica": 1},
            effect=Effect.BLOCKS,
        ),
        Example(
            "hit",
            "async output can be left out",
            workload={
                "engine": "vllm",
                "model_kind": "decoder-only",
                "gpus_per_replica": 1,
                "features": ["async-output"],
            },
            effect=Effect.CHANGE,
        ),
        Example(
            "miss",
            "LoRA is supported on AMD",
            workload={"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1, "features": ["lora"]},
        ),
        Example(
            "miss",
            "encoder-decoder models are supported on Hopper",
            workload={"engine": "vllm", "model_kind": "encoder-decoder", "gpus_per_replica": 1},
            target={"vendor": "nvidia", "part": "h100"},
        ),
        Example(
            "unknown",
            "a feature without a cell is not called unsupported: SRV002 asks to confirm it",
            workload={
                "engine": "vllm",
                "model_kind": "decoder-only",
                "gpus_per_replica": 1,
                "features": ["prompt-embeds"],
            },
            effect=Effect.CONFIRM,
            by="SRV002",
        ),
    ),
    serving=serving,
)
