"""What would stop if supply of a vendor slipped, as it stood when the review was closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from portability.engine.model import Verdict
from portability.organisation.queries import VENDORS

NO_WAY_OUT, UNTIL_CHANGED, NOT_KNOWN, COULD_MOVE = "no-way-out", "until-changed", "not-known", "could-move"
ONLY_TARGET, ONLY_CONFIRM, APART, NO_VENDOR = "only-target", "only-confirm", "on-its-vendor", "no-vendor"
GROUPS = {  # by the engine's verdict
    Verdict.PINNED.value: NO_WAY_OUT,
    Verdict.NEEDS_CHANGE.value: UNTIL_CHANGED,
    Verdict.NOT_ASSESSED.value: NOT_KNOWN,
    Verdict.MOVABLE.value: COULD_MOVE,
}
KNOWN = ("workloads", "replicas", "gpus")
UNKNOWN = ("replicas_unknown", "gpus_unknown")  # of how many workloads it is not known; those add nothing
COUNTED = (*KNOWN, *UNKNOWN)
_Key = tuple[str, str, str, str, str]  # vendor, target, group, team, criticality


def counted_as(entry: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    """Vendor, target and groups under which an entry of a record is counted; no group where its workload retired.

    The first group is the one that tells it from all others; `ONLY_TARGET` and `ONLY_CONFIRM` come with another.
    """
    workload, engine, target = entry["workload"], entry["engine"], entry["target"]
    vendor = workload["vendor_today"] or "unknown"
    against = target["name"] if target else ""
    if entry["state"] == "retired":
        return vendor, against, []
    if vendor not in VENDORS:  # whose supply would slip?
        return vendor, against, [NO_VENDOR]
    if target and target["vendor"] == vendor:
        return vendor, against, [APART]
    groups = [GROUPS[entry["engine_verdict"]]]
    if groups == [UNTIL_CHANGED] and engine:
        groups += [ONLY_TARGET] * (engine["own_verdict"] == Verdict.MOVABLE.value)
        groups += [ONLY_CONFIRM] * all(f["effect"] in ("confirm", "note") for f in engine["findings"])
    return vendor, against, groups


class Figures:
    """Counts by vendor, target and group, filled entry by entry. The engine's verdicts are counted."""

    def __init__(self) -> None:
        self._counted: defaultdict[_Key, list[int]] = defaultdict(lambda: [0] * len(COUNTED))

    def add(self, entry: Mapping[str, Any]) -> None:
        """Count one entry of the record; what retired is not counted."""
        workload = entry["workload"]
        replicas, gpus = workload["replicas"], workload["gpus"]
        numbers = (1, replicas or 0, gpus or 0, replicas is None, gpus is None)
        vendor, target, groups = counted_as(entry)
        for group in groups:
            counted = self._counted[vendor, target, group, workload["team"], workload["criticality"]]
            for n, number in enumerate(numbers):
                counted[n] += number

    def to_json(self) -> list[dict[str, Any]]:
        """One object for each vendor, target and group: `only-target` and `only-confirm` are among `until-changed`."""
        return [
            {"vendor": vendor, "target": target, "group": group, **dict(zip(COUNTED, counted, strict=True))}
            for (vendor, target, group), counted in self._by(lambda key: key[:3])
        ]

    def completed(self, signed: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The figures of a record, those that were signed before the unknown was told with what its entries say of it.

        Where they count other workloads than are counted here, nothing is added.
        """
        ours = {(each["vendor"], each["target"], each["group"]): each for each in self.to_json()}
        found = []
        for figure in signed:
            here = ours.get((figure["vendor"], figure["target"], figure["group"]), {})
            same = all(here.get(name) == figure[name] for name in KNOWN)
            found.append({**({name: here[name] for name in UNKNOWN} if same else {}), **figure})
        return found

    def parts(self) -> dict[str, list[dict[str, Any]]]:
        """The same of each team and each criticality that is exposed to a vendor: the counts of the four states."""
        return {"team": self._parts(3), "criticality": self._parts(4)}

    def _parts(self, at: int) -> list[dict[str, Any]]:
        found: dict[tuple[str, ...], dict[str, list[int]]] = {}
        for (vendor, target, name, group), counted in self._by(lambda key: (*key[:2], key[at], key[2])):
            if group in GROUPS.values():
                found.setdefault((vendor, target, name), {})[group] = counted
        return [
            {"vendor": vendor, "target": target, "name": name, "counts": counts}
            for (vendor, target, name), counts in found.items()
        ]

    def _by(self, key: Callable[[_Key], tuple[str, ...]]) -> list[tuple[tuple[str, ...], list[int]]]:
        """The counts, those added together that a key does not tell apart, in its order."""
        sums: dict[tuple[str, ...], list[int]] = {}
        for each, counted in self._counted.items():
            so_far = sums.setdefault(key(each), [0] * len(COUNTED))
            sums[key(each)] = [a + b for a, b in zip(so_far, counted, strict=True)]
        return sorted(sums.items())
