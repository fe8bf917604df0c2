"""The Celery application. Tasks are a few lines each and call an action of their room."""

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portability.settings")

app = Celery("portability")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def in_the_zone(**_: Any) -> None:
    """A task reads times in the organisation's zone, as a request does."""
    from portability.organisation import zone  # Django is not set up yet where this module is imported

    zone.activate()


task_prerun.connect(in_the_zone)
