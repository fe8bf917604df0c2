"""The reviews room."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.reviews"
    default_auto_field = "django.db.models.BigAutoField"
