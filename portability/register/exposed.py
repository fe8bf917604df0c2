"""What a row says of the exposure to the vendor it runs on, as the first page and the records of reviews count it."""

from __future__ import annotations

from dataclasses import dataclass

from portability.organisation.queries import VENDORS, default_targets
from portability.reviews.record.figures import APART, GROUPS, NO_VENDOR
from portability.targets.models import Target

VENDOR_NOT_KNOWN, OTHER_TARGET, RETIRED = "vendor-not-known", "other-target", "retired"
COUNTED = frozenset(GROUPS.values())
EXPOSURES = (*GROUPS.values(), APART, NO_VENDOR, VENDOR_NOT_KNOWN, OTHER_TARGET, RETIRED)
_NOT_SAID = ("", "unknown")


@dataclass(frozen=True, slots=True)
class Counting:
    """How rows of one target count: those alone that run on a vendor whose default target it is."""

    vendor: str  # the target's
    default_for: frozenset[str]

    @classmethod
    def against(cls, target: Target) -> Counting:
        """As the organisation's default targets are now."""
        return cls(target.vendor, default_for(target))

    def exposure(self, vendor: str, verdict: str, *, retired: bool) -> str:
        """One of `EXPOSURES`: a state of the first page, or why the row is none of what that counts."""
        if retired:
            return RETIRED
        if vendor in _NOT_SAID:
            return VENDOR_NOT_KNOWN
        if vendor not in VENDORS:
            return NO_VENDOR
        if vendor == self.vendor:
            return APART
        return GROUPS[verdict] if vendor in self.default_for else OTHER_TARGET


def default_for(target: Target) -> frozenset[str]:
    """The vendors whose workloads would go to the target."""
    return frozenset(vendor for vendor, default in default_targets().items() if default.pk == target.pk)
