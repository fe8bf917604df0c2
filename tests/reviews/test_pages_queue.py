"""The queue's page: what it shows, its filters, and the acts on an entry, with htmx and without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.reviews.models import Review
from portability.workloads.models import Workload
from tests.conftest import Cast

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
HTMX = {"HX-Request": "true", "HX-Target": "queue"}


def here(review: Review, query: str = "") -> str:
    return reverse("reviews:review", args=[review.quarter]) + query


def test_the_queue_shows_an_entry_with_all_that_decides_it(
    cast: Cast, review: Review, chat: Workload, client_of: ClientOf
) -> None:
    answer = client_of(cast.architect).get(here(review))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "0 of 1 decided" in page
    assert "nvidia.com/gpu" in page and "read 7 August 2026" in page
    for words in (
        "Agree",
        "Agree with a plan",
        "Stays, because",
        "Decide otherwise",
        "Waive a finding",
        "Ask the team",
    ):
        assert words in page
