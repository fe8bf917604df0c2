"""The Celery application. Tasks are a few lines each and call an action of their room."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portability.settings")

app = Celery("portability")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
