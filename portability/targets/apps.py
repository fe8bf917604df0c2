"""The targets room."""

from django.apps import AppConfig


class TargetsConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.targets"
    default_auto_field = "django.db.models.BigAutoField"
