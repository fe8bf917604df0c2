"""What a review would begin with if it were opened now."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from portability.organisation.queries import VENDORS, default_targets
from portability.targets.models import Target
from portability.workloads.models import Workload


@dataclass(frozen=True, slots=True)
class Share:
    """The active workloads that run on a vendor today (“”: not known), and where they would go (None: not chosen)."""

    vendor: str
    workloads: int
    target: Target | None


@dataclass(frozen=True, slots=True)
class OpeningPreview:
    """The shares, the largest first."""

    shares: list[Share]

    @property
    def entries(self) -> int:
        """How many entries there would be."""
        return sum(share.workloads for share in self.shares)

    @property
    def without_target(self) -> int:
        """How many of them would have no target: they count as not assessed."""
        return sum(share.workloads for share in self.shares if share.target is None)

    @property
    def without_vendor(self) -> bool:
        """Whether of some of these no administrator can choose it, as their vendor is not known."""
        return any(share.vendor not in VENDORS for share in self.shares)


def opening_preview() -> OpeningPreview:
    """Counted in one query."""
    targets = default_targets()
    active = Workload.objects.filter(retired_at=None, current__isnull=False).order_by()
    counted = active.values_list("vendor_today").annotate(number=Count("pk")).order_by("-number", "vendor_today")
    return OpeningPreview([Share(vendor, number, targets.get(vendor)) for vendor, number in counted])
