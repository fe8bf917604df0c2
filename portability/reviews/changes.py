"""What changed between two assessments of a workload for a target, and what caused it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from portability.register.models import Assessment
from portability.reviews import findings

Pair = tuple[int, int]  # workload id, target id
_AT_ONCE = 200
CAUSES = {  # by an assessment's cause: the family that a mark and a filter name, and the words for it
    "registered": ("manifest", "registered"),
    "manifest": ("manifest", "the manifests changed"),
    "material": ("manifest", "application material changed"),
    "declared": ("manifest", "declared facts changed"),
    "target": ("target", "the target changed"),
    "matrix": ("matrix", "a matrix changed"),
    "rules": ("rules", "the rules changed"),
    "rows": ("rules", "the organisation’s own rows changed"),
    "custom": ("rules", "the organisation’s own rules changed"),
    "renamed": ("manifest", "renamed"),
    "restored": ("manifest", "restored"),
}
FAMILIES = {
    "manifest": "the manifest",
    "matrix": "a matrix",
    "target": "the target",
    "rules": "the rules",
    "waiver": "a waiver",  # which makes no assessment: `by_waivers`
}


@dataclass(frozen=True, slots=True)
class Change:
    """One step in which the answer became another. `found`, `gone`: rules whose findings came and went."""

    cause: str  # a key of FAMILIES
    words: str
    day: str  # in the organisation's zone, 2026-11-30; "" where it is not known
    before: str
    after: str
    found: list[str]
    gone: list[str]

    def to_json(self) -> dict[str, Any]:
        """As `Entry.changed` keeps it."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Change:
        """Raises KeyError and TypeError where it was not made by `to_json`."""
        return cls(**stored)


def since(spans: Mapping[Pair, tuple[int, int]]) -> dict[Pair, list[Change]]:
    """What changed of each pair from the first assessment (id) to the second, oldest first.

    Pairs whose answer stayed the same (verdict, findings that count and their causes) are left out, whatever was
    judged anew. A few queries for each 200 workloads.
    """
    wanted = {pair: span for pair, span in spans.items() if span[0] != span[1]}
    found: dict[Pair, list[Change]] = {}
    ordered = sorted(wanted)
    for start in range(0, len(ordered), _AT_ONCE):
        part = {pair: wanted[pair] for pair in ordered[start : start + _AT_ONCE]}
        found |= _since(part)
    return found


def _since(spans: Mapping[Pair, tuple[int, int]]) -> dict[Pair, list[Change]]:
    among = Assessment.objects.filter(
        revision__workload__in={w for w, _ in spans},
        target__in={t for _, t in spans},
        pk__gte=min(first for first, _ in spans.values()),
        pk__lte=max(last for _, last in spans.values()),
    ).order_by("pk")
    columns = ("pk", "revision__workload_id", "target_id", "verdict", "findings", "missing", "cause", "assessed_at")
    last: dict[Pair, _Said] = {}
    found: dict[Pair, list[Change]] = {}
    for pk, workload, target, verdict, stored, missing, cause, at in among.values_list(*columns).iterator():
        pair = (workload, target)
        span = spans.get(pair)
        if span is None or not span[0] <= pk <= span[1]:
            continue
        said = _Said.of(verdict, stored, missing)
        before = last.get(pair)
        if before is not None and before != said:
            found.setdefault(pair, []).append(_change(before, said, cause, at))
        last[pair] = said
    return found


@dataclass(frozen=True, slots=True)
class _Said:
    verdict: str
    marks: frozenset[tuple[str, str]]  # the mark of each finding that counts, and its rule
    missing: bool

    @classmethod
    def of(cls, verdict: str, stored: Collection[findings.Finding], missing: Collection[str]) -> _Said:
        marks = frozenset((findings.mark(f), f["rule"]) for f in findings.counting(stored))
        return cls(verdict, marks, bool(missing))


def _change(before: _Said, after: _Said, cause: str, at: datetime) -> Change:
    family, words = CAUSES.get(cause, ("rules", cause))
    return Change(
        cause=family,
        words=words,
        day=timezone.localtime(at).date().isoformat(),
        before=before.verdict,
        after=after.verdict,
        found=sorted({rule for _, rule in after.marks - before.marks}),
        gone=sorted({rule for _, rule in before.marks - after.marks}),
    )
