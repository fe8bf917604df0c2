"""What workers are woken for. The work itself is in `batches`."""

from __future__ import annotations

from celery import shared_task

from portability.register import batches
from portability.register.actions import DO_BATCH


@shared_task(name=DO_BATCH)
def do_batch(batch_id: int) -> None:
    """Do one batch of a run. Delivered twice, the second finds it done."""
    batches.do_batch(batch_id)


@shared_task(name="portability.register.tasks.take_over", expires=15)
def take_over() -> None:
    """Every few seconds: batches that wait without a worker, and those whose worker fell silent."""
    batches.take_over()
