"""AMD's table of frameworks, asked for one engine and one part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from portability.engine.matrices.features import judged_by_vllm
from portability.engine.matrices.keys import ROCM, VLLM_INSTALLATION
from portability.engine.matrices.knowledge import Cell
from portability.engine.rules.asking import family, gfx
from portability.engine.rules.base import Ground


@dataclass(frozen=True)
class Offer:
    """What the release says of a framework. `rows`: all of it; `ours`: those that hold for the part."""

    name: str
    gfx: Cell | None
    rows: tuple[Cell, ...]
    ours: tuple[Cell, ...]

    @cached_property
    def versions(self) -> list[str]:
        """The versions offered for the part, in the order of the table."""
        return list(dict.fromkeys(cell.key.split("/")[3] for cell in self.ours))


def offer(ground: Ground, name: str) -> Offer:
    """The rows of a framework; a row holds by LLVM target, by part, by family, or for any part."""
    return ground.once(_offer, name)


def _offer(ground: Ground, name: str) -> Offer:
    target = gfx(ground)
    rows = ground.ledger.cells(ROCM, f"framework/{name}/", ground.target.rocm)
    scopes = {target.value if target else "", ground.target.part, family(ground), "any"}
    return Offer(name, target, tuple(rows), tuple(cell for cell in rows if cell.key.split("/")[2] in scopes))


def listed_elsewhere(ground: Ground, engine: str, target: Cell | None) -> Cell | None:
    """The cell of another source that lists the engine for the part: vLLM's own list of hardware."""
    if target is None or not judged_by_vllm(engine):
        return None
    return ground.ledger.cell(VLLM_INSTALLATION, f"target/{target.value}")
