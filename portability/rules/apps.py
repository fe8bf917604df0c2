"""The rules room."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.rules"
    default_auto_field = "django.db.models.BigAutoField"
