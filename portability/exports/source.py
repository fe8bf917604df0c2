"""The rows of every export: those of the register page, by the same filter, in the same order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils import timezone

from portability.accounts.models import Person
from portability.exports.formats.about import About
from portability.refused import Refused
from portability.register import counting
from portability.register.columns import Days, Shown
from portability.register.decisions import with_standings
from portability.register.exposed import Counting
from portability.register.filters import Chosen, RegisterFilter, choose
from portability.register.models import Row
from portability.register.plain_rows import plain_rows
from portability.targets.models import Target

CHUNK = 1_000  # rows in memory
NOT_A_FILTER = frozenset({"target", "sort", "page"})


def chosen_for(person: Person, query: QueryDict) -> Chosen:
    """What the register page would show. Raises Refused where it would leave something out that cannot be used.

    A file that silently held something else than was asked for would be trusted.
    """
    chosen = choose(query, person)
    if chosen is None:
        raise Refused("There is no target yet, so there is nothing to export.")
    if chosen.problems:  # each says after a colon what the page shows instead
        raise Refused(" ".join(f"{problem.rpartition(': ')[0]}." for problem in chosen.problems))
    return chosen


def rows_at_once(chosen: Chosen) -> Iterator[Row]:
    """The rows through a cursor outside any transaction: for a file that is streamed while it is read."""
    return plain_rows(chosen.rows, CHUNK)


def ids(chosen: Chosen) -> array[int]:
    """The rows' ids in their order, eight bytes each: what a file in the background holds is settled by them."""
    return array("q", chosen.rows.values_list("pk", flat=True).iterator(chunk_size=10_000))


def rows_by_id(wanted: Sequence[int], all_rows: QuerySet[Row], heard: Callable[[int], None]) -> Iterator[Row]:
    """The rows of these ids, in this order, a chunk at a time. Those that are gone meanwhile are left out.

    No cursor stays open between chunks, so that what is done with one may be stored before the next is read. `heard`
    is called before each chunk with how many are done.
    """
    for start in range(0, len(wanted), CHUNK):
        heard(start)
        part = list(wanted[start : start + CHUNK])
        found = {row.pk: row for row in plain_rows(all_rows.filter(pk__in=part), CHUNK)}
        yield from (found[pk] for pk in part if pk in found)


def cells(
    rows: Iterable[Row], columns: Sequence[Callable[[Shown], object]], target: Target, origin: str
) -> Iterator[list[object]]:
    """What stands in each column of each row, as CSV has it."""
    days, counting = Days(), Counting.against(target)
    for row, standing in with_standings(rows, CHUNK):
        shown = Shown(row, target, origin, standing, days, counting)
        yield [cell(shown) for cell in columns]


def about(chosen: Chosen, person: Person, columns: str, origin: str, page: str) -> About:
    """What a file says of itself. `page`: the path of the register page."""
    read = counting.counts(chosen.filter.rows, chosen.now).readings
    return About(
        target=chosen.target.name,
        filter=in_words(chosen),
        sort=chosen.sort,
        columns=columns,
        as_of=read,
        by=person.get_username(),
        at=_now(),
        address=f"{origin}{page}{chosen.address(target=chosen.target.name)}",
    )


def _now() -> datetime:
    return timezone.localtime()


def in_words(chosen: Chosen) -> dict[str, str]:
    """The filter that is set: by label, the value as its choice says it."""
    words: dict[str, str] = {}
    for name, value in chosen.asked.items():
        if name in NOT_A_FILTER:
            continue
        choices = dict(chosen.filter.filters[name].extra.get("choices", ()))
        words[str(RegisterFilter.base_filters[name].label)] = str(choices.get(value, value))
    return words
