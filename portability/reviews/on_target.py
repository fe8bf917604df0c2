"""What the reviews room says on a target's page: which of the findings about it are waived, for all workloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse

from portability.accounts.models import Person
from portability.organisation.queries import organisation
from portability.reviews.beside_findings import BesideFindings, any_for_all, judged_for
from portability.reviews.settling import Progress, progress
from portability.reviews.waivers import Waived, waivers_for_all
from portability.targets.models import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTarget(BesideFindings):
    """The waivers for all workloads, and how far it is worked out what they make of these."""

    settling: Progress | None

    @property
    def no_more(self) -> list[Waived]:
        """Those that do not hold."""
        return [waived for waived in self.waivers if not waived.holds]


def on_target(person: Person, target: Target, found: Sequence[Mapping[str, Any]], today: date) -> OnTarget:
    """In one query, and one more where anything was waived, or may be. `found`: what stands against it now."""
    waivers = waivers_for_all(target.pk, found, today)
    return OnTarget(
        target=target,
        waivers=waivers,
        unwaivable=frozenset(organisation().not_waivable),
        may_waive=person.architect,
        here=reverse("targets:target", args=[target.name]),
        judged=judged_for(target.pk) if person.architect and any_for_all(found) else 0,
        settling=progress(target.pk) if waivers else None,
    )
