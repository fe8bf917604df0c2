"""What the page of a closed review shows, so that it need not read the whole record: worked out from it alone.

It is filled entry by entry as the record is made; from the text of a stored record it comes out the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from portability.reviews.record import reading
from portability.reviews.record.figures import ONLY_CONFIRM, ONLY_TARGET, Figures, counted_as

Entry = dict[str, Any]
_LINE = ("state", "engine_verdict", "decided_verdict", "why")
_WORKLOAD = ("id", "name", "team", "criticality", "vendor_today", "gpus", "replicas")


def line(entry: Entry, number: int) -> Entry:
    """An entry with no more than a line of a register shows of it, named as in the record.

    `counted`: under what it is among the record's figures, so that a figure leads to its entries.
    """
    vendor, target, groups = counted_as(entry)
    return {
        "number": number,
        "counted": {
            "vendor": vendor,
            "target": target,
            "group": groups[0] if groups else "",
            "only_target": ONLY_TARGET in groups,
            "only_confirm": ONLY_CONFIRM in groups,
        },
        **{name: entry[name] for name in _LINE},
        "workload": {name: entry["workload"][name] for name in _WORKLOAD},
        "target": entry["target"] and {"name": entry["target"]["name"]},
        "decision": entry["decision"] and {"kind": entry["decision"]["kind"]},
    }


class Summary:
    """Counts and lines of a record. `rest`: all that the record says besides its entries."""

    def __init__(self) -> None:
        self.lines: list[Entry] = []
        self.rest: dict[str, Any] = {}
        self._verdicts: Counter[str] = Counter()
        self._decided: Counter[str] = Counter()
        self._teams: set[str] = set()
        self.figures = Figures()

    @classmethod
    def of(cls, text: str) -> Summary:
        """The summary of a stored record."""
        made = cls()
        for entry in reading.entries(text):
            made.add(entry)
        made.rest = reading.rest(text)
        return made

    def add(self, entry: Entry) -> None:
        """Note one entry of the record; what retired is counted for no verdict and no decision."""
        self.lines.append(line(entry, len(self.lines) + 1))
        self._teams.add(entry["workload"]["team"])
        self.figures.add(entry)
        if entry["state"] == "retired":
            return
        self._verdicts[entry["engine_verdict"]] += 1
        if entry["decision"]:
            self._decided[entry["decision"]["kind"]] += 1

    def said(self) -> dict[str, Any]:
        """What is shown besides the lines, as it is stored."""
        return {
            **{name: self.rest[name] for name in ("organisation", "review", "people")},
            "figures": self.figures.completed(self.rest["figures"]),
            "parts": self.figures.parts(),
            "verdicts": dict(sorted(self._verdicts.items())),
            "decided": [[kind, number] for kind, number in self._decided.most_common()],
            "teams": sorted(self._teams),
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """The columns of each line, as it is stored."""
        for said in self.lines:
            retired = said["state"] == "retired"
            yield {
                "number": said["number"],
                "verdict": "" if retired else said["engine_verdict"],
                "team": said["workload"]["team"],
                "said": said,
            }
