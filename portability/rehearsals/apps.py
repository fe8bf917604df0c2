"""The rehearsals room."""

from django.apps import AppConfig


class RehearsalsConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.rehearsals"
    default_auto_field = "django.db.models.BigAutoField"
