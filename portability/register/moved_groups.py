"""What moved, told once for all the targets for which one act moved a workload's verdict in the same way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Case, DateTimeField, F, Max, Min, Q, QuerySet, When
from django.db.models.functions import Lower, TruncDate

from portability.register.models import Movement
from portability.register.moved import SAID, Kind, Moved, Said, grave, with_why
from portability.register.moved_cells import Answer

What = TypeVar("What", Said, Answer)
# What movements of one entry share. A run judges a workload over some moments; what is saved, at one.
_SHARED = ("team", "workload", "rank", "run", "cause", "saved_at")
_Key = tuple[int, int, int, int | None, str, datetime | None]


@dataclass(frozen=True, slots=True)
class Told(Generic[What]):
    """What came, went or answers otherwise; `only`: for which targets, where it is not for all of the entry."""

    what: What
    only: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """Movements of a workload by one act, from one verdict to another, by the names of their targets."""

    moves: tuple[Moved, ...]

    @property
    def movement(self) -> Movement:
        """The first; its workload, team and run are those of all."""
        return self.moves[0].movement

    @property
    def kind(self) -> Kind:
        """From which verdict to which."""
        return self.moves[0].kind

    @property
    def cause(self) -> str:
        """What caused it, in words."""
        return self.moves[0].cause

    @property
    def targets(self) -> list[str]:
        """The names of the targets."""
        return [move.movement.target.name for move in self.moves]

    @property
    def came(self) -> list[Told[Said]]:
        """What is found now and was not, the gravest first, and of these what is found for all."""
        return sorted(self._told([move.why.came for move in self.moves]), key=_place)

    @property
    def went(self) -> list[Told[Said]]:
        """What was found and is not."""
        return sorted(self._told([move.why.went for move in self.moves]), key=_place)

    @property
    def cells(self) -> list[Told[Answer]]:
        """Cells that answer otherwise."""
        return sorted(self._told([move.why.cells for move in self.moves]), key=lambda told: bool(told.only))

    @property
    def more(self) -> int:
        """How many there are beyond those that there is room for."""
        return sum(max(0, len(told) - SAID) for told in (self.came, self.went, self.cells))

    def _told(self, by_target: Sequence[Iterable[What]]) -> list[Told[What]]:
        found: dict[What, list[str]] = {}
        for target, said in zip(self.targets, by_target, strict=True):
            for what in said:
                found.setdefault(what, []).append(target)
        return [Told(what, () if len(names) == len(self.moves) else tuple(names)) for what, names in found.items()]


def grouped(movements: QuerySet[Movement], *, latest_first: bool) -> QuerySet[Movement, dict[str, Any]]:
    """What the movements of each entry share, to be paged: by team, then the worst first, or of each day the worst."""
    saved_at = Case(When(run=None, then=F("at")), output_field=DateTimeField())
    shared = movements.order_by().annotate(saved_at=saved_at).values(*_SHARED)
    day = [TruncDate("latest").desc()] if latest_first else []
    order = (Lower("team__name"), *day, "rank", Lower("workload__name"), "first")
    found: QuerySet[Movement, dict[str, Any]] = shared.annotate(first=Min("pk"), latest=Max("at")).order_by(*order)
    return found


def together(movements: QuerySet[Movement], page: Sequence[dict[str, Any]]) -> list[Together]:
    """The entries of a page, in its order, each with its movements and why. For a page of them."""
    if not page:
        return []
    wanted = Q()
    for group in page:
        shared = Q(**{name: group[name] for name in ("team", "workload", "rank", "run", "cause")})
        wanted |= shared if group["saved_at"] is None else shared & Q(at=group["saved_at"])
    found: dict[_Key, list[Moved]] = {}
    for move in with_why(movements.filter(wanted).order_by(Lower("target__name"), "pk")):
        found.setdefault(_key(move.movement), []).append(move)
    return [Together(tuple(found[group_key])) for group_key in map(_shared, page) if group_key in found]


def _place(told: Told[Said]) -> tuple[int, bool]:
    """The gravest first, and of these what holds for all targets."""
    return grave(told.what), bool(told.only)


def _shared(group: dict[str, Any]) -> _Key:
    return (group["team"], group["workload"], group["rank"], group["run"], group["cause"], group["saved_at"])


def _key(m: Movement) -> _Key:
    return (m.team_id, m.workload_id, m.rank, m.run_id, m.cause, m.at if m.run_id is None else None)
