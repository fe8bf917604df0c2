"""A value that is erased while a worker stores what it judged: it does not come back with that."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.models import Q

from portability.register import batches
from portability.register.models import Assessment, Batch, Row
from portability.targets.models import Target
from portability.workloads.actions import erase
from tests.conftest import Cast
from tests.register.registering import SERVING, register_workload, started

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("woken")]
VALUE = "unannounced"
TEXT = SERVING.format(image="vllm/vllm-openai:v0.23.0", resource="nvidia.com/gpu")


def waits_for_a_lock() -> bool:
    """Whether some other connection does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])


def test_a_value_erased_while_a_batch_is_stored(cast: Cast) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("writers of SQLite wait for each other")
    call_command("load_shipped", verbosity=0)
    Target.objects.exclude(name="mi300x-single").update(active=False)
    register_workload(cast.search, "chat", text=TEXT.replace("Qwen/Qwen3-8B", f"acme/{VALUE}"))
    Row.objects.all().delete()
    Assessment.objects.all().delete()
    batch = batches._claim(started(Target.objects.get(active=True)).batches.get().pk)
    assert batch is not None
    judged, failures = batches._judge(batch)

    def finish() -> bool:
        try:
            return batches._finish(batch, judged, failures)
        finally:
            connections.close_all()

    renew = erase._renew_digests
    with ThreadPoolExecutor(1) as pool:
        stored = []

        def meanwhile(held: Q) -> None:
            """Everything was looked through, and nothing of it is committed: the worker comes to store."""
            stored.append(pool.submit(finish))
            end = time.monotonic() + 10
            while not stored[0].done() and not waits_for_a_lock() and time.monotonic() < end:
                time.sleep(0.01)
            renew(held)

        with mock.patch.object(erase, "_renew_digests", meanwhile):
            erase.erase_value(cast.administrator, VALUE)
        assert stored[0].result() is False, "left to be done again"
    assert Batch.objects.get().state == Batch.State.WAITING
    assert batches.do_batch(batch.pk)
    assert VALUE not in repr(list(Assessment.objects.values()) + list(Row.objects.values()))
    assert Row.objects.count() == 1
