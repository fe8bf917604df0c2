"""What workers are woken for. The work itself is in `jobs`."""

from __future__ import annotations

from celery import shared_task

from portability.exports import jobs
from portability.exports.actions import TASK


@shared_task(name=TASK)
def make(pk: int) -> None:
    """Make one file. Delivered twice, the second finds it done."""
    jobs.make(pk)


@shared_task(name="portability.exports.tasks.take_over", expires=15)
def take_over() -> None:
    """Every few seconds: exports that wait without a worker, and those whose worker fell silent."""
    jobs.take_over()


@shared_task(name="portability.exports.tasks.clean_up", expires=1800)
def clean_up() -> None:
    """Every half hour: files whose days are over."""
    jobs.clean_up()
