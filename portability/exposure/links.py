"""Figures, and addresses of the register that show exactly what a figure counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from django.urls import reverse

from portability.exposure.counting import NOTHING, Amount

_SAID = {"workloads": "workload", "replicas": "replica", "gpus": "GPU"}


@dataclass(frozen=True, slots=True)
class Number:
    """One of the numbers of a figure. `unknown`: of how many workloads it is not known; those add nothing to it."""

    name: str  # workloads, replicas, gpus
    n: int
    url: str
    unknown: int = 0
    unknown_url: str = ""

    @property
    def words(self) -> str:
        """What is counted, as it follows the number: `replicas`."""
        return _SAID[self.name] + ("" if self.n == 1 else "s")


@dataclass(frozen=True, slots=True)
class Figure:
    """An amount and where the register shows just that; no address where there is nothing to show."""

    amount: Amount
    url: str = ""
    replicas_unknown: str = ""  # where the register shows those whose number of replicas is not known
    gpus_unknown: str = ""

    @property
    def workloads(self) -> int:
        """How many."""
        return self.amount.workloads

    @property
    def numbers(self) -> list[Number]:
        """Workloads, replicas and GPUs."""
        of = self.amount
        return [
            Number("workloads", of.workloads, self.url),
            Number("replicas", of.replicas, self.url, of.replicas_unknown, self.replicas_unknown),
            Number("gpus", of.gpus, self.url, of.gpus_unknown, self.gpus_unknown),
        ]


NO_FIGURE = Figure(NOTHING)


@cache  # a page has some hundreds of its addresses
def _register() -> str:
    return reverse("register:register")


@dataclass(frozen=True, slots=True)
class Links:
    """Of one page: what every address of it carries. `decided`: whether decided verdicts are counted."""

    target: str
    vendor: str
    decided: bool

    def to(self, verdict: str = "", **more: str) -> str:
        """The register's rows of the vendor, with a verdict and further filters. `more` may replace the vendor."""
        values = {"target": self.target, "vendor": self.vendor, **more}
        if verdict:
            values["decided" if self.decided else "verdict"] = verdict
        return f"{_register()}?{urlencode({name: value for name, value in values.items() if value})}"

    def because(self, cause: str) -> str:
        """Rows that need change only because of the target (`target`), or only to be confirmed (`confirm`)."""
        return self.to("needs-change" if self.decided else "", because=cause)

    def figure(self, found: Amount, verdict: str = "", *, unjudged: Amount = NOTHING, **more: str) -> Figure:
        """An amount of rows, and what was never judged, of which the register has none to show."""
        return Figure(
            found + unjudged,
            self.to(verdict, **more) if found.workloads else "",
            self._unknown("replicas", found.replicas_unknown, unjudged.replicas_unknown, verdict, more),
            self._unknown("gpus", found.gpus_unknown, unjudged.gpus_unknown, verdict, more),
        )

    def _unknown(self, name: str, found: int, unjudged: int, verdict: str, more: dict[str, str]) -> str:
        return self.to(verdict, **more, **{name: "unknown"}) if found and not unjudged else ""
