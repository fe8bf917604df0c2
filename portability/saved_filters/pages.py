"""The pages of which filters are saved: how each judges a query string, and where it is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from django.http import QueryDict
from django.urls import reverse

from portability.accounts.models import Person
from portability.exports.source import in_words
from portability.register import filters as register
from portability.reviews import filters as queue
from portability.reviews import queries as reviews
from portability.saved_filters.models import SavedFilter

Page = SavedFilter.Page
ALL = "?filter=none"  # asks a page for everything, where the page alone would open with a default filter
_NAMES = {Page.REGISTER: "register:register", Page.QUEUE: "reviews:queue"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What a query string asks a page for now."""

    asked: str | None = None  # what of it can be used, as a query string; None: nothing can be asked for
    words: dict[str, str] = field(default_factory=dict)  # by label
    problems: list[str] = field(default_factory=list)  # what of it cannot be used
    personal: bool = False  # whether it asks for something of whoever looks


class Judge:
    """Judges query strings for a person, as the pages do. What they are judged by is asked for once."""

    def __init__(self, person: Person) -> None:
        self._person = person

    @cached_property
    def _of_register(self) -> register.Known:
        return register.known()

    @cached_property
    def _of_queue(self) -> queue.Known:
        return queue.known(reviews.open_one())

    def judge(self, page: str, query: str) -> Judged:
        """What a query string asks for. Of the queue it is judged for the review that is open, or for any."""
        return self._queue(query) if page == Page.QUEUE else self._register(query)

    def _register(self, query: str) -> Judged:
        chosen = register.choose(QueryDict(query), self._person, self._of_register)
        if chosen is None:
            return Judged(problems=["There is no target yet, so there is nothing to filter."])
        words = in_words(chosen)
        if "target" in chosen.asked:
            words = {"Target": chosen.target.name, **words}
        return Judged(chosen.address(page=None).removeprefix("?"), words, chosen.problems)

    def _queue(self, query: str) -> Judged:
        chosen = queue.choose(QueryDict(query), self._person, self._of_queue)
        personal = chosen.asked.get("assigned") == queue.ME
        return Judged(chosen.address().removeprefix("?"), chosen.words, chosen.problems, personal)


def address(page: str, query: str) -> str:
    """Where a page shows what a query string asks for."""
    return reverse(_NAMES[Page(page)]) + (f"?{query}" if query else ALL)


def shows(saved: SavedFilter, address: str) -> bool:
    """Whether an address of the filter's page, from its question mark on, asks for what the filter does."""
    return address.removeprefix("?") == saved.query
