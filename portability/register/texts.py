"""The words of a register row: the short reason a table has room for, and the longer columns of an export."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from portability.engine.custom_rules.rule import SOURCE as CUSTOM_RULE
from portability.engine.matrices.knowledge import Knowledge, Release
from portability.engine.model import Assessment, Effect, Evidence, Finding, ReleaseRef, Verdict
from portability.engine.vendor_rows.rows import ROW_SOURCES

WHY_LENGTH = 160
CELL_LENGTH = 30_000  # a spreadsheet cuts a cell at 32,767 characters
PLATFORM_SOURCE = "rocm-compatibility-matrix"
_NAMED = {  # how a literal of a class is introduced, in the order said; any other class speaks by its reason
    "IMAGE": "image ",
    "RESOURCE": "",
    "NODE": "node selection ",
    "RUNTIME": "runtime class ",
    "ENV": "environment ",
    "DEVICE": "host path ",
    "CRD": "kind ",
}
_ORDER = {name: n for n, name in enumerate(_NAMED)}


def why(a: Assessment) -> str:
    """The short reason of a verdict: `image vllm/vllm-openai:v0.23.0; nvidia.com/gpu (2); 1 to confirm`."""
    if a.verdict is Verdict.NOT_ASSESSED:
        return _shorten("; ".join(a.missing), WHY_LENGTH)
    by_effect = {effect: [f for f in a.findings if f.effect is effect] for effect in Effect}
    if blocking := by_effect[Effect.BLOCKS]:
        return _phrases((first_sentence(f.reason) for f in blocking), WHY_LENGTH)
    changes, confirms = by_effect[Effect.CHANGE], by_effect[Effect.CONFIRM]
    if changes:
        tail = f"; {len(confirms)} to confirm" if confirms else ""
        said = sorted(changes, key=lambda f: (f.about == "target", _ORDER.get(f.class_, len(_ORDER))))
        return _phrases((_phrase(f) for f in said), WHY_LENGTH - len(tail)) + tail
    if confirms:
        return "to confirm: " + _phrases((_phrase(f) for f in confirms), WHY_LENGTH - 12)
    return "nothing to change"


def reasons(a: Assessment) -> str:
    """Every reason that counts, one a line, with rule and place; what is missing first."""
    said = [f"missing: {text}" for text in a.missing]
    return _lines([*said, *(f"{f.rule} {_where(f)}: {f.reason}" for f in a.findings if f.effect is not Effect.NOTE)])


def what_to_change(a: Assessment) -> str:
    """The remedies of what blocks or is to be changed, each once."""
    wanted = (Effect.BLOCKS, Effect.CHANGE)
    return _lines(f"{f.rule}: {f.remedy}" for f in a.findings if f.effect in wanted and f.remedy)


def to_confirm(a: Assessment) -> str:
    """What is not known, and how to find out."""
    return _lines(f"{f.rule}: {f.reason} {f.remedy}".strip() for f in a.findings if f.effect is Effect.CONFIRM)


def evidence(a: Assessment) -> str:
    """What the counting findings rest on, with version and day, each once."""
    return _lines(_evidence(e) for f in a.findings if f.effect is not Effect.NOTE for e in f.evidence)


def as_of(a: Assessment, knowledge: Knowledge) -> str:
    """The reading the verdict rests on: the platform's where it was consulted, else all of them."""
    return readings_in_words(a.releases, knowledge)


def readings_in_words(releases: Sequence[ReleaseRef], knowledge: Knowledge) -> str:
    """The platform's reading among these, or else all of them."""
    platform = [r for r in releases if r.source == PLATFORM_SOURCE]
    return _shorten("; ".join(release_in_words(r, knowledge) for r in platform or releases), 200)


def rule_ids(a: Assessment) -> str:
    """`|IMG001|RES001|`, for a filter that needs no second table."""
    ids = sorted({f.rule for f in a.findings})
    return f"|{'|'.join(ids)}|" if ids else ""


def release_in_words(r: ReleaseRef | Release, knowledge: Knowledge) -> str:
    """`ROCm compatibility matrix 7.14.0, read 7 August 2026`."""
    page = knowledge.sources.get(r.source)
    title = page.title if page else r.source
    return f"{title} {r.version}".strip() + f", read {r.read.day} {r.read:%B %Y}"


def _evidence(e: Evidence) -> str:
    entered = e.source in (*ROW_SOURCES, CUSTOM_RULE)
    read = f", {'entered' if entered else 'read'} {e.read.isoformat()}" if e.read else ""
    by = f" by {e.by}" if e.by else ""
    return f"{e.source} {e.version}".strip() + f"{read}{by}: {e.cell} = {e.value}"


def _where(f: Finding) -> str:
    return f"{f.place.file}:{f.place.line}" if f.place else f"({f.about})"


def _phrase(f: Finding) -> str:
    if f.about == "target":
        return f"target: {first_sentence(f.reason)}"
    lead = _NAMED.get(f.class_)
    if lead is None or not f.place:
        return first_sentence(f.reason)
    named = _literal(f)
    return lead + _shorten(named, 70) if named else first_sentence(f.reason)


def _literal(f: Finding) -> str:
    """The vendor's word: the key where the value is only a quantity or a setting, else the value."""
    assert f.place is not None
    if f.class_ == "IMAGE":
        return "/".join(f.value.split("@")[0].split("/")[-2:])
    if f.class_ == "ENV":
        named = re.search(r"env\[([^\]]+)\]", f.place.path)
        return named.group(1) if named else f.value.split("=")[0]
    key = f.place.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    if f.class_ in ("RESOURCE", "NODE") and ("/" in key or re.fullmatch(r"[\d.]+[A-Za-z]*", f.value)):
        return key
    return f.value


def first_sentence(text: str) -> str:
    """The first sentence of a reason, without its full stop."""
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0].rstrip(".")


def _phrases(phrases: Iterable[str], room: int) -> str:
    """Phrases each once with how often, as many as there is room for; the first one always."""
    counted = [p if n == 1 else f"{p} ({n})" for p, n in Counter(phrases).items()]
    text = _shorten(counted[0], room)
    for position, phrase in enumerate(counted[1:], start=1):
        if len(text) + len(phrase) + 2 > room - 12:
            return f"{text}; {len(counted) - position} more"
        text += f"; {phrase}"
    return text


def _lines(texts: Iterable[str]) -> str:
    """Each text on its own line, once; what does not fit a spreadsheet's cell is counted instead."""
    once = list(dict.fromkeys(" ".join(text.split()) for text in texts))
    kept, length = 0, 0
    while kept < len(once) and length + len(once[kept]) < CELL_LENGTH:
        length += len(once[kept]) + 1
        kept += 1
    left = len(once) - kept
    return "\n".join(once[:kept] + ([f"and {left} more on the workload's page"] if left else []))


def _shorten(text: str, length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
