"""SRV003: two features in use that the engine's own table does not put together, on any hardware."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from portability.engine.matrices.keys import VLLM_FEATURES
from portability.engine.matrices.knowledge import Cell
from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.subject import Subject, Use, of_vllm

_WORDS = {
    "unsupported": "exclude each other",
    "partial": "work together only in part",
    "unknown": "are not known to work together",
}


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """A note for each pair; it holds for both vendors, so it moves no verdict."""
    for subject in of_vllm(served):
        used = [use for use in subject.uses if use.asked.source == VLLM_FEATURES]
        for one, other in combinations(used, 2):
            cell = _cell(ground, one, other)
            if cell is None or cell.value not in _WORDS:
                continue
            note = f" ({cell.note})" if cell.note else ""
            yield RULE.finding(
                Effect.NOTE,
                f"{one.asked.row} and {other.asked.row} {_WORDS[cell.value]} in vLLM{note}, on whatever hardware.",
                "Check which of the two is in force today, and leave the other out before moving.",
                place=other.place or one.place,
                value=f"{one.said} + {other.said}",
                evidence=[ground.ledger.evidence(VLLM_FEATURES, cell)],
            )


def _cell(ground: Ground, one: Use, other: Use) -> Cell | None:
    key, turned = f"pair/{one.asked.row}/{other.asked.row}", f"pair/{other.asked.row}/{one.asked.row}"
    return ground.ledger.cell(VLLM_FEATURES, key) or ground.ledger.cell(VLLM_FEATURES, turned)


_VLLM = {"engine": "vllm", "model_kind": "decoder-only", "gpus_per_replica": 1}
RULE = Rule(
    id="SRV003",
    name="features-exclude-each-other",
    class_="FEATURE",
    why="A manifest that asks for two features of which one is silently ignored will surprise whoever moves it.",
    fix="Ask for one of the two.",
    references=("https://docs.vllm.ai/en/stable/features/",),
    reads=("model kind and features of each serving container, and declared ones",),
    examples=(
        Example(
            "hit",
            "LoRA and speculative decoding",
            workload={**_VLLM, "features": ["lora", "speculative-decoding"]},
            effect=Effect.NOTE,
        ),
        Example("miss", "LoRA and prefix caching", workload={**_VLLM, "features": ["lora", "prefix-caching"]}),
        Example(
            "unknown",
            "best-of with async output is marked unknown",
            workload={**_VLLM, "features": ["best-of", "async-output"]},
            effect=Effect.NOTE,
        ),
    ),
    serving=serving,
)
