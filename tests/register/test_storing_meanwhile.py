"""A worker stores what it judged while others erase, or save: nothing comes back, and nobody waits in a circle.

On PostgreSQL: writers of SQLite wait for each other anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.models import Q

from portability.register import batches
from portability.register.models import Assessment, Batch, Row
from portability.rules.locking import one_at_a_time
from portability.targets.models import Target
from portability.workloads.actions import erase
from portability.workloads.actions.common import take
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.registering import SERVING, register_workload, started
from tests.servers import until

pytestmark = [pytest.mark.served, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("woken")]
VALUE = "unannounced"
TEXT = SERVING.format(image="vllm/vllm-openai:v0.23.0", resource="nvidia.com/gpu")


@pytest.fixture
def batch(cast: Cast) -> Batch:
    """A batch in hand, of one workload that holds the value and was judged by nobody yet."""
    call_command("load_shipped", verbosity=0)
    Target.objects.exclude(name="mi300x-single").update(active=False)
    register_workload(cast.search, "chat", text=TEXT.replace("Qwen/Qwen3-8B", f"acme/{VALUE}"))
    Row.objects.all().delete()
    Assessment.objects.all().delete()
    claimed = batches._claim(started(Target.objects.get(active=True)).batches.get().pk)
    assert claimed is not None
    return claimed


@pytest.fixture
def storing(batch: Batch) -> Iterator[Callable[[], Future[bool]]]:
    """Let a worker store what it judged, and come back once it waits, or has ended."""
    judged, failures = batches._judge(batch)

    def finish() -> bool:
        try:
            return batches._finish(batch, judged, failures)
        finally:
            connections.close_all()

    def store() -> Future[bool]:
        stored = pool.submit(finish)
        until("the worker to wait or end", lambda: stored.done() or waits_for_us(), every=0.01)
        return stored

    with ThreadPoolExecutor(1) as pool:
        yield store


def waits_for_us() -> bool:
    """Whether some other connection waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


def test_a_value_erased_while_a_batch_is_stored(cast: Cast, batch: Batch, storing: Callable[[], Future[bool]]) -> None:
    renew, stored = erase._renew_digests, list[Future[bool]]()

    def meanwhile(held: Q) -> None:
        """Everything was looked through, and nothing of it is committed: the worker comes to store."""
        stored.append(storing())
        renew(held)

    with mock.patch.object(erase, "_renew_digests", meanwhile):
        erase.erase_value(cast.administrator, VALUE)
    assert stored[0].result(30) is False, "left to be done again"
    assert Batch.objects.get().state == Batch.State.WAITING
    assert batches.do_batch(batch.pk)
    assert VALUE not in repr(list(Assessment.objects.values()) + list(Row.objects.values()))
    assert Row.objects.count() == 1


def test_a_save_that_changes_what_judges_while_a_batch_is_stored(
    batch: Batch, storing: Callable[[], Future[bool]]
) -> None:
    """It has its workload, and comes upon a rule that must be switched off."""
    with transaction.atomic():
        take(Workload.objects.get().pk)
        stored = storing()
        assert not stored.done()
        one_at_a_time()
    assert stored.result(30)
    assert Row.objects.count() == 1
