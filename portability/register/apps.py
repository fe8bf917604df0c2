"""The register room."""

from django.apps import AppConfig


class RegisterConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.register"
    default_auto_field = "django.db.models.BigAutoField"
