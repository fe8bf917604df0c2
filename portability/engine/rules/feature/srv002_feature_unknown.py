"""SRV002: the published tables leave the model kind or a feature open, or the model kind cannot be told."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.features import asked_of_kind, kinds_with_cell
from portability.engine.matrices.keys import PARTS, VLLM_FEATURES
from portability.engine.model import Effect, Finding
from portability.engine.rules.asking import shown_part
from portability.engine.rules.base import Example, Ground, Rule
from portability.engine.rules.subject import Subject, Use, of_vllm
from portability.engine.rules.subjects import column

_OPEN = ("partial", "unknown")
_TRY = "Try it on the target and record the rehearsal, or ask the engine's project; until then count it as open."


def serving(ground: Ground, served: tuple[Subject, ...]) -> Iterator[Finding]:
    """Open cells, missing cells, and model kinds that nobody tells."""
    for subject in of_vllm(served):
        for use in subject.uses:
            if finding := _judge(ground, use):
                yield finding
        if subject.gpus and not subject.kind_told and _depends_on_kind(ground):
            yield _untold(ground, subject)
    for subject in served:
        if not subject.engine_name and subject.kind and asked_of_kind(subject.kind.value):
            yield from _unknown_engine(ground, subject)


def _judge(ground: Ground, use: Use) -> Finding | None:
    on, source = column(ground, use.asked.source), use.asked.source
    if on is None:
        key = f"part/{ground.target.part}/vllm-column"
        reason = f"vLLM's tables have no column for {shown_part(ground.target)}, so {use.said} cannot be judged."
        evidence = [ground.ledger.evidence(PARTS, key, value="no column")]
        return RULE.finding(Effect.CONFIRM, reason, _TRY, place=use.place, value=use.said, evidence=evidence)
    key = f"hardware/{use.asked.row}/{on}"
    cell = ground.ledger.cell(source, key)
    if cell is not None and cell.value not in _OPEN:
        return None
    if cell is None:
        reason = f"{use.said} is in use, and vLLM's table has no cell for {use.asked.row} on {on}."
    else:
        word = "partly supported" if cell.value == "partial" else "of unknown support"
        reason = f"{use.said} is in use, and vLLM's table calls {use.asked.row} {word} on {on}."
    evidence = [ground.ledger.evidence(source, cell or key)]
    return RULE.finding(Effect.CONFIRM, reason, _TRY, place=use.place, value=use.said, evidence=evidence)


def _depends_on_kind(ground: Ground) -> bool:
    """Whether any kind of model is less than supported on the target; then not knowing the kind leaves it open."""
    on = column(ground, VLLM_FEATURES)
    cells = [ground.ledger.cell(VLLM_FEATURES, f"hardware/{kind}/{on}") if on else None for kind in kinds_with_cell()]
    return any(cell is None or cell.value != "supported" for cell in cells)


def _untold(ground: Ground, subject: Subject) -> Finding:
    on = column(ground, VLLM_FEATURES) or shown_part(ground.target)
    model = subject.model.value if subject.model else ""
    said = f"The name {model} does not tell" if model else "Nothing tells"
    keys = [f"hardware/{kind}/{on}" for kind in kinds_with_cell()]
    cells = [(key, ground.ledger.cell(VLLM_FEATURES, key)) for key in keys]
    return RULE.finding(
        Effect.CONFIRM,
        f"{said} what kind of model vLLM serves here, and not every kind is supported on {on}.",
        "Declare the model kind (decoder-only, encoder-decoder, pooling, multimodal, ...) of this workload.",
        place=(subject.model.place if subject.model else None) or subject.at,
        value=model,
        evidence=[ground.ledger.evidence(VLLM_FEATURES, cell or key) for key, cell in cells],
    )


def _unknown_engine(ground: Ground, subject: Subject) -> Iterator[Finding]:
    """An engine that nobody tells may be vLLM: what its table denies on the target has to be confirmed."""
    asked = asked_of_kind(subject.kind.value) if subject.kind else None
    on = column(ground, VLLM_FEATURES)
    if asked is None or subject.kind is None or on is None:
        return
    cell = ground.ledger.cell(VLLM_FEATURES, f"hardware/{asked.row}/{on}")
    if cell is None or cell.value == "supported":
        return
    yield RULE.finding(
        Effect.CONFIRM,
        f"The model is {asked.row} and its engine cannot be told; under vLLM it would be {cell.value} on {on}.",
        "Declare the engine of this workload, and look whether it serves the model on the target.",
        place=subject.kind.place or (subject.model.place if subject.model else None) or subject.place,
        value=subject.kind.value,
        evidence=[ground.ledger.evidence(VLLM_FEATURES, cell)],
    )


_VLLM = {"engine": "vllm", "gpus_per_replica": 1}
RULE = Rule(
    id="SRV002",
    name="feature-unknown-or-partial",
    class_="FEATURE",
    why="What the published table leaves open, or nobody can tell, is not known to work; silence is not a yes.",
    fix="Declare what is missing, try the feature on the target, or do without it.",
    references=("https://docs.vllm.ai/en/stable/features/", "https://docs.vllm.ai/en/stable/features/quantization/"),
    reads=("model kind and features of each serving container, and declared ones",),
    examples=(
        Example(
            "hit",
            "prompt embeddings are marked unknown on AMD",
            workload={**_VLLM, "model_kind": "decoder-only", "features": ["prompt-embeds"]},
            effect=Effect.CONFIRM,
        ),
        Example(
            "miss",
            "chunked prefill is supported, parallelism needs no cell, and what is off is not used",
            workload={
                **_VLLM,
                "model_kind": "decoder-only",
                "features": ["chunked-prefill", "tensor-parallel=2", "prompt-embeds=false"],
            },
        ),
        Example(
            "unknown",
            "a path instead of a name: the kind of the model cannot be told",
            workload={**_VLLM, "model": "/models/current", "model_kind": None},
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "a feature that the table does not name",
            workload={**_VLLM, "model_kind": "decoder-only", "features": ["async-scheduling"]},
            effect=Effect.CONFIRM,
        ),
    ),
    serving=serving,
)
