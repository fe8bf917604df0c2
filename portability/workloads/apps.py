"""The workloads room."""

from django.apps import AppConfig


class WorkloadsConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.workloads"
    default_auto_field = "django.db.models.BigAutoField"
