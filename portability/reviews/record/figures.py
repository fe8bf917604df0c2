"""What would stop if supply of a vendor slipped, as it stood when the review was closed."""

from __future__ import annotations

from collections import Counter
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


class Figures:
    """Counts by vendor, target and group, filled entry by entry. The engine's verdicts are counted."""

    def __init__(self) -> None:
        self._counted: Counter[tuple[str, str, str, str]] = Counter()

    def add(self, line: dict[str, Any]) -> None:
        """Count one entry of the record; what retired is not counted."""
        if line["state"] == "retired":
            return
        workload, engine, target = line["workload"], line["engine"], line["target"]
        vendor = workload["vendor_today"] or "unknown"
        if vendor not in VENDORS:  # whose supply would slip?
            group = NO_VENDOR
        elif target and target["vendor"] == vendor:
            group = APART
        else:
            group = GROUPS[line["engine_verdict"]]
        groups = [group]
        if group == UNTIL_CHANGED and engine:
            groups += [ONLY_TARGET] * (engine["own_verdict"] == Verdict.MOVABLE.value)
            groups += [ONLY_CONFIRM] * all(f["effect"] in ("confirm", "note") for f in engine["findings"])
        for name in groups:
            key = (vendor, target["name"] if target else "", name)
            self._counted[*key, "workloads"] += 1
            self._counted[*key, "replicas"] += workload["replicas"] or 0
            self._counted[*key, "gpus"] += workload["gpus"] or 0

    def to_json(self) -> list[dict[str, Any]]:
        """One object for each vendor, target and group: `only-target` and `only-confirm` are among `until-changed`."""
        keys = sorted({key[:3] for key in self._counted})
        return [
            {
                "vendor": vendor,
                "target": target,
                "group": group,
                **{what: self._counted[vendor, target, group, what] for what in ("workloads", "replicas", "gpus")},
            }
            for vendor, target, group in keys
        ]
