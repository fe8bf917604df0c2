"""What workers are woken for: looking at sources. Off unless an operator turned it on."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from portability.matrices import looks

EXPIRES = 1800  # seconds, after which it is asked for again


@shared_task(name="portability.matrices.tasks.check_sources", expires=EXPIRES)
def check_sources() -> None:
    """Every half hour: have each source looked at that is due, one task each, so that batches come in between."""
    for source in looks.due(timezone.now()):
        check_source.apply_async((source,), expires=EXPIRES)


@shared_task(name="portability.matrices.tasks.check_source")
def check_source(source: str) -> None:
    """Look at one source. Delivered twice, the second finds it done."""
    looks.look(source)
