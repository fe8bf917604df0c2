"""Addresses of the register that show exactly what a figure counts."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from portability.register.more_filters import EXPOSED


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
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in values.items() if value})
        return f"{reverse('register:register')}?{query.urlencode()}"

    def exposed(self, **more: str) -> str:
        """The rows that are not movable."""
        return self.to(EXPOSED, **more)

    def because(self, cause: str) -> str:
        """Rows that need change only because of the target (`target`), or only to be confirmed (`confirm`)."""
        return self.to("needs-change" if self.decided else "", because=cause)
