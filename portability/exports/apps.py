"""The exports room."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.exports"
    default_auto_field = "django.db.models.BigAutoField"
