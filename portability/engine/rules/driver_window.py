"""The once published window between driver and user space, applied only where the dates of both are known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from portability.engine.matrices.keys import AMDGPU, DATES, WINDOW
from portability.engine.model import Evidence
from portability.engine.rules.asking import driver_state, has_platform_source, runtime_version
from portability.engine.rules.base import Ground
from portability.engine.versions import compare


@dataclass(frozen=True, slots=True)
class DatedClaim:
    """The claim, what is known of the two dates (None: not known), and what the answer rests on."""

    claim: str
    limit: int
    status: str  # of the page, in words
    days_apart: int | None
    evidence: tuple[Evidence, ...]


def dated_claim(ground: Ground) -> DatedClaim | None:
    """The claim where PLT003 could not say that the driver is listed, and the page still names one."""
    state, _ = driver_state(ground) if has_platform_source(ground) else ("listed", None)
    if state in ("listed", "not-given"):
        return None
    claim, limit = ground.ledger.cell(WINDOW, "window/claim"), ground.ledger.cell(WINDOW, "window/days")
    first = ground.ledger.cell(WINDOW, "window/from-rocm")
    if claim is None or limit is None or first is None:
        return None
    rocm = runtime_version(ground)
    evidence = [ground.ledger.evidence(WINDOW, claim)]
    ours = _released(ground, rocm, evidence) if rocm and compare(rocm, first.value) >= 0 else None
    pairing = ground.ledger.cell(AMDGPU, f"pairing/{ground.target.amdgpu}")
    if pairing and rocm and compare(pairing.value, rocm) == 0:
        return None  # released for each other: no window between them to speak of
    if pairing:
        evidence.append(ground.ledger.evidence(AMDGPU, pairing))
    theirs = _released(ground, pairing.value, evidence) if pairing else None
    apart = abs((ours - theirs).days) if ours and theirs else None
    page = ground.ledger.page(WINDOW)
    status = f"{page.status}: {page.status_note}" if page else ""
    return DatedClaim(claim.value, int(limit.value), status, apart, tuple(evidence))


def _released(ground: Ground, rocm: str, evidence: list[Evidence]) -> date | None:
    cell = ground.ledger.cell(DATES, f"released/{rocm}")
    if cell is None:
        return None
    evidence.append(ground.ledger.evidence(DATES, cell))
    return date.fromisoformat(cell.value)
