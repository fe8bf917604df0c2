"""What the first page shows, as values."""

from __future__ import annotations

from dataclasses import dataclass, field

from portability.exposure.bars import NO_BAR, Bar
from portability.exposure.counting import NOTHING, Amount
from portability.exposure.freeing import Freeing
from portability.exposure.links import NO_FIGURE, Figure, Number
from portability.register.counting import Reading
from portability.register.models import Row, Run
from portability.reviews.models import Review
from portability.reviews.queue import Progress
from portability.targets.models import Target
from portability.workloads.models import Workload


@dataclass(frozen=True, slots=True)
class State:
    """One of the four states: its words, the name of its class and pattern, and its figure."""

    words: str
    name: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: all workloads of a team, a criticality or a quarter, what of them would stop, and by state."""

    label: str
    whole: Figure
    exposed: Figure
    states: list[State]
    bar: Bar = NO_BAR
    quarter: str = ""  # whose signed review it is taken from; "": it is so now

    @property
    def stops(self) -> list[tuple[Number, Number]]:
        """Workloads, replicas and GPUs that would stop, each with how many there are."""
        return list(zip(self.exposed.numbers, self.whole.numbers, strict=True))


@dataclass(frozen=True, slots=True)
class Apart:
    """Workloads that are not counted, and why, in words."""

    words: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the vendors that may be asked about."""

    vendor: str
    name: str
    workloads: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Exposure:
    """Everything that the page shows of one vendor."""

    vendor: str
    name: str  # whose supply slips
    on: str  # on whom workloads run
    choices: list[Choice]
    registered: int  # workloads of all vendors
    target: Target | None
    decided: bool = False
    of_nobody: int = 0  # workloads whose vendor nobody declared and nothing shows, where nothing else is told
    exposed: Figure = NO_FIGURE
    whole: Figure = NO_FIGURE
    states: list[State] = field(default_factory=list)
    unjudged: Amount = NOTHING  # have no row yet; they are among the exposed, and among those not known
    unjudged_first: list[Workload] = field(default_factory=list)
    only_target: Figure = NO_FIGURE
    only_confirm: Figure = NO_FIGURE
    bars: list[tuple[str, Bar]] = field(default_factory=list)
    first: list[Row] = field(default_factory=list)
    teams: list[Line] = field(default_factory=list)
    criticalities: list[Line] = field(default_factory=list)
    periods: list[Line] = field(default_factory=list)
    apart: list[Apart] = field(default_factory=list)
    freeing: Freeing = field(default_factory=lambda: Freeing([], []))
    readings: list[Reading] = field(default_factory=list)
    sources_due: int = 0
    run: Run | None = None
    review: Review | None = None
    progress: Progress | None = None

    @property
    def chosen(self) -> Choice:
        """The vendor that is asked about."""
        return next(choice for choice in self.choices if choice.chosen)

    @property
    def judged_exposed(self) -> int:
        """The exposed that the register has rows of."""
        return self.exposed.workloads - self.unjudged.workloads

    @property
    def closed(self) -> list[Line]:
        """The quarters whose reviews were closed."""
        return [period for period in self.periods if period.quarter]
