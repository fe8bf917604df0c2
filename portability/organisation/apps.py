"""The organisation room."""

from django.apps import AppConfig


class OrganisationConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.organisation"
    default_auto_field = "django.db.models.BigAutoField"
