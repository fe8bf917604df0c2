"""Assessments as a person reads them on a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from portability.engine.custom_rules.rule import CLASS as CUSTOM
from portability.engine.model import Assessment, Effect, Evidence, Finding, Place, Verdict
from portability.engine.output.report import VERDICT_WORD, Judged, Report
from portability.engine.output.terminal import Style, clean, cut, wrapped
from portability.engine.rules.knowledge.kno001_knowledge_overdue import RULE as OVERDUE

_SIGN = {Verdict.PINNED: "■", Verdict.NEEDS_CHANGE: "◐", Verdict.MOVABLE: "●", Verdict.NOT_ASSESSED: "○"}
_COLOUR = {Verdict.PINNED: "31", Verdict.NEEDS_CHANGE: "33", Verdict.MOVABLE: "32", Verdict.NOT_ASSESSED: "2"}
_HEADING = {
    Effect.BLOCKS: ("Blocks the move", "1;31"),
    Effect.CHANGE: ("To change", "1;33"),
    Effect.CONFIRM: ("To confirm", "1;35"),
    Effect.NOTE: ("Notes", "1"),
}
_BOLD, _DIM, _RULE = "1", "2", "36"
_SET_IN = " " * 10  # below a rule's id
_SEGMENT = re.compile(r"(?:\[[^\]]*\]|[^/\[])+")  # of a path; a merge key in brackets may hold slashes
_MOST_PLACES = 5  # of one finding
_MOST_FINDINGS = 12  # of one effect; what blocks is never left out


def text(report: Report, *, colour: bool, width: int = 80) -> str:
    """The whole answer: each workload, what is said of the target, then the counts."""
    style = Style(colour)
    lines: list[str] = []
    for judged in report.workloads:
        lines += _workload(judged, style, width)
        lines.append("")
    about_target = [f for _, _, a, _ in report.workloads for f in a.findings if f.about == "target"]
    if about_target:
        many = "for each of these workloads" if len(report.workloads) > 1 else "for any workload"
        lines += [style(f"The target {clean(report.target.name)}, {many}", _BOLD)]
        lines += [*_by_effect(about_target, style, width), ""]
    lines += _totals(report, style, width)
    return "\n".join(lines) + "\n"


def _workload(judged: Judged, style: Style, width: int) -> Iterator[str]:
    name, files, a, fragment = judged
    verdict = style(f"{_SIGN[a.verdict]} {VERDICT_WORD[a.verdict].upper()}", f"1;{_COLOUR[a.verdict]}")
    where = clean(files[0]) + (f" and {len(files) - 1} more" if len(files) > 1 else "") if files else ""
    title = f"{verdict}  {style(clean(name), _BOLD)}"
    beside = len(f"{_SIGN[a.verdict]} {VERDICT_WORD[a.verdict]}  {name}  {where}") <= width
    yield f"{title}  {style(where, _DIM)}" if where and beside else title
    if where and not beside:
        yield f"  {style(where, _DIM)}"
    if known := _facts(a):
        yield from (style(line, _DIM) for line in wrapped(known, width, "  "))
    if fragment and not a.missing:
        yield from wrapped("nothing that runs is in it: judged by what it holds, not as a workload", width, "  ")
    for missing in a.missing:
        yield from wrapped(f"missing: {missing}", width, "  ")
    for contradiction in a.summary.contradictions:
        yield from wrapped(f"contradiction: {contradiction}", width, "  ")
    if a.verdict is not a.own_verdict:
        yield from wrapped(
            f"because of the target, see below; its own findings alone: {VERDICT_WORD[a.own_verdict]}", width, "  "
        )
    if not a.platform_judged:
        yield from wrapped("platform not judged: no published source for this vendor's platform is held", width, "  ")
    yield from _by_effect([f for f in a.findings if f.about != "target"], style, width)


def _facts(a: Assessment) -> str:
    s = a.summary
    words = [" ".join(f.value for f in (s.engine, s.engine_version) if f)]
    words += [f.value for f in (s.model, s.model_kind) if f]
    words += [f.name for f in s.features]
    if s.gpus_per_replica:
        words.append(f"{s.gpus_per_replica} GPU a replica")
    return " · ".join(word for word in words if word)


def _by_effect(findings: Iterable[Finding], style: Style, width: int) -> Iterator[str]:
    """The findings under headings, worst first; those that say the same of several places together."""
    groups: dict[Effect, dict[tuple[str, str, str], list[Finding]]] = {effect: {} for effect in Effect}
    overdue: dict[str, None] = {}
    for f in findings:
        if f.rule == OVERDUE.id:
            overdue |= dict.fromkeys(e.source for e in f.evidence)
        else:
            groups[f.effect].setdefault((f.rule, f.reason, f.remedy), []).append(f)
    for effect, group in groups.items():
        alike = list(group.values())
        late = overdue if effect is Effect.NOTE else {}
        if not alike and not late:
            continue
        heading, code = _HEADING[effect]
        places = sum(len({f.place for f in each}) for each in alike)
        yield from ("", "  " + style(f"{heading} ({places + bool(late)})", code))
        most = len(alike) if effect is Effect.BLOCKS or len(alike) <= _MOST_FINDINGS + 1 else _MOST_FINDINGS
        for each in alike[:most]:
            yield from _finding(each, style, width, brief=effect is Effect.NOTE)
        if rest := Counter(each[0].rule for each in alike[most:]):
            said = ", ".join(f"{rule} ×{n}" if n > 1 else rule for rule, n in rest.items())
            yield from wrapped(f"… and {rest.total()} more: {said}", width, "  ", _SET_IN)
        if late:
            head, *more = wrapped(f"{OVERDUE.id}  Overdue to be read again: {', '.join(late)}.", width, "  ", _SET_IN)
            yield from (head.replace(OVERDUE.id, style(OVERDUE.id, _RULE), 1), *more)


def _finding(alike: Sequence[Finding], style: Style, width: int, *, brief: bool) -> Iterator[str]:
    """What one rule says, and all the places it says it of. Brief: without remedy and what it rests on."""
    first = alike[0]
    lead = f"  {style(first.rule, _RULE)}  "
    places = list(dict.fromkeys((f.place, f.value) for f in alike if f.place))
    most = len(places) if len(places) <= _MOST_PLACES + 1 else _MOST_PLACES
    for place, value in places[:most]:
        at = f"{clean(place.file)}:{place.line}"
        detail = _detail(place, value)
        if len(_SET_IN) + len(at) + 2 + len(detail) <= width:
            yield f"{lead}{at}  {style(detail, _DIM)}"
        else:
            yield lead + at
            yield _SET_IN + style(cut(detail, width - len(_SET_IN)), _DIM)
        lead = _SET_IN
    if len(places) > most:
        yield f"{_SET_IN}… and {len(places) - most} more places"
    reason = wrapped(first.reason, width, _SET_IN)
    yield from reason if places else [lead + line.strip() if n == 0 else line for n, line in enumerate(reason)]
    if brief:
        return
    if first.remedy:
        do, *more = wrapped(f"Do: {first.remedy}", width, _SET_IN)
        yield from (do.replace("Do:", style("Do:", _BOLD), 1), *more)
    for e in dict.fromkeys(e for f in alike for e in f.evidence):
        yield from (style(line, _DIM) for line in _rests_on(e, width))


def _detail(place: Place, value: str) -> str:
    """`resources/limits/nvidia.com/gpu = 1`: the end of the path, and what stands there."""
    tail = _SEGMENT.findall(place.path)[-3:]
    named = [n for n, segment in enumerate(tail) if segment.endswith("]")]
    tail = tail[named[-1] :] if named else tail
    at = "/".join(segment.replace("~1", "/").replace("~0", "~") for segment in tail)
    return clean(" = ".join(word for word in (at, value) if word))


def _rests_on(e: Evidence, width: int) -> list[str]:
    """The cell, its value (cut where it is long: JSON has it whole), and whose it is as of which day."""
    whose = " ".join(word for word in (e.source, e.version) if word) + (f", {e.read.isoformat()}" if e.read else "")
    room = width - len(_SET_IN) - len(f"rests on {e.cell} =  ({whose})")
    value = e.value if len(e.value) <= room else cut(e.value.partition("; ")[0], max(room, 24))
    return wrapped(f"rests on {e.cell} = {value} ({whose})", width, _SET_IN)


def _totals(report: Report, style: Style, width: int) -> Iterator[str]:
    workloads = report.workloads
    counts = Counter(a.verdict for _, _, a, _ in workloads)
    counted = [(f"{counts[v]} {word}", _COLOUR[v]) for v, word in VERDICT_WORD.items() if counts[v]]
    said = " · ".join(style(words, code) for words, code in counted)
    many = f"{len(workloads) or 'no'} workload{'' if len(workloads) == 1 else 's'} for {clean(report.target.name)}"
    beside = len(many) + sum(len(words) + 3 for words, _ in counted) <= width
    yield from ([f"{many}: {said}" if said else many] if beside else [many, f"  {said}"])
    if report.unusable:
        many = f"{len(report.unusable)} problems were" if len(report.unusable) > 1 else "1 problem was"
        yield style(f"{many} met while reading, named on standard error", _COLOUR[Verdict.PINNED])
    rests = sorted({(r.source, r.version, r.read) for _, _, a, _ in workloads for r in a.releases})
    if rests:
        words = "; ".join(f"{s} {v}".strip() + f", {d.isoformat()}" for s, v, d in rests)
        yield from (style(line, _DIM) for line in wrapped(f"as of {words}", width, ""))
    shipped = (f for _, _, a, _ in workloads for f in a.findings if f.class_ != CUSTOM)
    if worst := min(shipped, key=lambda f: list(Effect).index(f.effect), default=None):
        hint = (
            f"`portability rules {worst.rule}` explains a rule; `--format json` holds every place and all it rests on."
        )
        yield from (style(line, _DIM) for line in wrapped(hint, width, ""))
