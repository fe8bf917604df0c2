"""The once published window between driver and user space, applied only where the dates of both are known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from portability.engine.matrices.keys import AMDGPU, DATES, WINDOW
from portability.engine.model import Evidence
from portability.engine.rules.asking import driver_state, has_platform_source, runtime_version
from portability.engine.rules.base import Context
from portability.engine.versions import compare


@dataclass(frozen=True, slots=True)
class DatedClaim:
    """The claim, what is known of the two dates (None: not known), and what the answer rests on."""

    claim: str
    limit: int
    status: str  # of the page, in words
    days_apart: int | None
    evidence: tuple[Evidence, ...]


def dated_claim(ctx: Context) -> DatedClaim | None:
    """The claim where PLT003 could not say that the driver is listed, and the page still names one."""
    state, _ = driver_state(ctx) if has_platform_source(ctx) else ("listed", None)
    if state in ("listed", "not-given"):
        return None
    claim, limit = ctx.ledger.cell(WINDOW, "window/claim"), ctx.ledger.cell(WINDOW, "window/days")
    first = ctx.ledger.cell(WINDOW, "window/from-rocm")
    if claim is None or limit is None or first is None:
        return None
    rocm = runtime_version(ctx)
    evidence = [ctx.ledger.evidence(WINDOW, claim)]
    ours = _released(ctx, rocm, evidence) if rocm and compare(rocm, first.value) >= 0 else None
    pairing = ctx.ledger.cell(AMDGPU, f"pairing/{ctx.target.amdgpu}")
    if pairing and rocm and compare(pairing.value, rocm) == 0:
        return None  # released for each other: no window between them to speak of
    if pairing:
        evidence.append(ctx.ledger.evidence(AMDGPU, pairing))
    theirs = _released(ctx, pairing.value, evidence) if pairing else None
    apart = abs((ours - theirs).days) if ours and theirs else None
    page = ctx.ledger.knowledge.sources.get(WINDOW)
    status = f"{page.status}: {page.status_note}" if page else ""
    return DatedClaim(claim.value, int(limit.value), status, apart, tuple(evidence))


def _released(ctx: Context, rocm: str, evidence: list[Evidence]) -> date | None:
    cell = ctx.ledger.cell(DATES, f"released/{rocm}")
    if cell is None:
        return None
    evidence.append(ctx.ledger.evidence(DATES, cell))
    return date.fromisoformat(cell.value)
