"""Assessments as a person reads them on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from portability.engine.model import Assessment, Effect, Finding, Target, Verdict
from portability.engine.rules.knowledge.kno001_knowledge_overdue import RULE as OVERDUE
from portability.engine.vendor_rows.rows import ROW_SOURCES

_SIGN = {Verdict.PINNED: "■", Verdict.NEEDS_CHANGE: "◐", Verdict.MOVABLE: "●", Verdict.NOT_ASSESSED: "○"}
_WORD = {
    Verdict.PINNED: "pinned",
    Verdict.NEEDS_CHANGE: "needs change",
    Verdict.MOVABLE: "movable",
    Verdict.NOT_ASSESSED: "not assessed",
}
_COLOUR = {
    Verdict.PINNED: "31",
    Verdict.NEEDS_CHANGE: "33",
    Verdict.MOVABLE: "32",
    Verdict.NOT_ASSESSED: "2",
}
_HEADING = {
    Effect.BLOCKS: "Blocks the move",
    Effect.CHANGE: "To change",
    Effect.CONFIRM: "To confirm",
    Effect.NOTE: "Notes",
}


class Style:
    """Terminal attributes, or nothing where the output is no terminal."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, code: str) -> str:
        """`text` in an SGR code."""
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def report(
    target: Target, workloads: Sequence[tuple[str, Sequence[str], Assessment]], *, colour: bool, width: int = 100
) -> str:
    """The whole answer: a paragraph a workload, then the counts."""
    style = Style(colour)
    lines: list[str] = []
    for name, _files, assessment in workloads:
        lines += _workload(name, target, assessment, style, width)
        lines.append("")
    lines += _totals(target, workloads, style)
    return "\n".join(lines) + "\n"


def _workload(name: str, target: Target, a: Assessment, style: Style, width: int) -> Iterator[str]:
    verdict = style(f"{_SIGN[a.verdict]} {_WORD[a.verdict].upper()}", f"1;{_COLOUR[a.verdict]}")
    yield f"{style(_clean(name), '1')}  {verdict}  for {target.name}"
    if known := _facts(a):
        yield f"  {style(known, '2')}"
    for missing in a.missing:
        yield from _wrapped(f"missing: {missing}", width, "  ")
    for contradiction in a.summary.contradictions:
        yield from _wrapped(f"contradiction: {contradiction}", width, "  ")
    if a.verdict is not a.own_verdict:
        yield f"  its own findings alone: {_WORD[a.own_verdict]}; the rest is because of the target"
    if not a.platform_judged:
        yield "  platform not judged: no published source for this vendor's platform is held"
    for effect in Effect:
        found = [f for f in a.findings if f.effect is effect]
        if not found:
            continue
        yield ""
        yield f"  {style(f'{_HEADING[effect]} ({len(found)})', '1')}"
        for finding in found:
            if finding.rule != OVERDUE.id:
                yield from _finding(finding, style, width)
        if overdue := [f for f in found if f.rule == OVERDUE.id]:
            reasons = " ".join(f.reason for f in overdue)
            yield from _wrapped(f"{OVERDUE.id}  {reasons} Read their pages again before relying on them.", width, "  ")


def _facts(a: Assessment) -> str:
    s = a.summary
    words = [" ".join(f.value for f in (s.engine, s.engine_version) if f)]
    words += [f.value for f in (s.model, s.model_kind) if f]
    words += [f.name for f in s.features]
    if s.gpus_per_replica:
        words.append(f"{s.gpus_per_replica} GPU a replica")
    return _clean(" · ".join(word for word in words if word))


def _finding(f: Finding, style: Style, width: int) -> Iterator[str]:
    where = f"{_clean(f.place.file)}:{f.place.line}" if f.place else f"the {f.about}"
    yield f"  {style(f.rule, '36')}  {where}" + (f"  {style(_clean(f.value)[:70], '2')}" if f.value else "")
    yield from _wrapped(f.reason, width, "          ")
    if f.remedy:
        yield from _wrapped(f"Do: {f.remedy}", width, "          ")
    for e in f.evidence:
        read = f", {'entered' if e.source in ROW_SOURCES else 'read'} {e.read.isoformat()}" if e.read else ""
        text = f"rests on: {e.cell} = {e.value} ({' '.join(w for w in (e.source, e.version) if w)}{read})"
        yield from (style(line, "2") for line in _wrapped(text, width, "          "))


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(_clean(text), width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _clean(text: str) -> str:
    """No control characters of a manifest reach the terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def _totals(target: Target, workloads: Sequence[tuple[str, Sequence[str], Assessment]], style: Style) -> Iterator[str]:
    counts = {
        v: sum(a.verdict is v for _, _, a in workloads)
        for v in (Verdict.MOVABLE, *list(Verdict)[:2], Verdict.NOT_ASSESSED)
    }
    said = " · ".join(style(f"{n} {_WORD[v]}", _COLOUR[v]) for v, n in counts.items())
    yield f"{len(workloads)} workload{'' if len(workloads) == 1 else 's'} for {target.name}: {said}"
    rests = sorted({(r.source, r.version, r.read) for _, _, a in workloads for r in a.releases})
    if rests:
        words = "; ".join(f"{s} {v}".strip() + f", read {d.isoformat()}" for s, v, d in rests)
        yield style(f"as of {words}", "2")
