"""The matrices room."""

from django.apps import AppConfig


class MatricesConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.matrices"
    default_auto_field = "django.db.models.BigAutoField"
