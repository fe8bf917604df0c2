"""The same moment: a second click, and two people who save together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client

from portability.accounts.models import Person
from portability.workloads.models import Revision, Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING, fields

ClientOf = Callable[[Person | None], Client]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def together(*posts: tuple[Client, str, Mapping[str, Any]]) -> list[tuple[int, str]]:
    """Send forms in threads of their own, begun together; their statuses and where they lead."""
    ready = Barrier(len(posts))

    def send(client: Client, url: str, sent: Mapping[str, Any]) -> tuple[int, str]:
        try:
            ready.wait(10)
            answer = client.post(url, sent)
            return answer.status_code, answer.headers.get("Location", "")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(posts)) as pool:
        return [future.result(60) for future in [pool.submit(send, *post) for post in posts]]


def test_a_form_sent_three_times_at_once_makes_one_workload(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, token=str(uuid4()))
    answers = together(*((client_of(cast.member), "/workloads/new/", sent) for _ in range(3)))
    workload = Workload.objects.get()
    assert answers == [(302, f"/workloads/{workload.pk}/")] * 3
    assert Revision.objects.count() == 1


def test_of_two_people_who_save_together_one_is_told(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    url = f"/workloads/{saved.pk}/edit/"
    answers = together(
        *(
            (client_of(person), url, fields(cast.search.pk, SERVING.replace("v0.11.0", tag), version=1))
            for person, tag in ((cast.member, "v0.12.0"), (cast.teammate, "v0.13.0"))
        )
    )
    assert sorted(status for status, _ in answers) == [302, 409]
    assert Revision.objects.count() == 2
