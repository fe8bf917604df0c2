"""The room of saved filters."""

from django.apps import AppConfig


class SavedFiltersConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.saved_filters"
    default_auto_field = "django.db.models.BigAutoField"
