"""What workers are woken for. The work itself is in `settling`."""

from __future__ import annotations

from celery import shared_task

from portability.reviews import settling
from portability.reviews.actions.settle import SETTLE


@shared_task(name=SETTLE)
def settle_target(target_id: int) -> None:
    """Work out the decided verdicts for a target. Delivered twice, the second finds it done, or in hand."""
    settling.settle_target(target_id)


@shared_task(name="portability.reviews.tasks.take_over", expires=15)
def take_over() -> None:
    """Every few seconds: targets that nobody was woken for, and those that a worker left lying."""
    settling.take_over()
