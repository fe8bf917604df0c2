"""The shared pieces of pages."""

from django.apps import AppConfig


class UiConfig(AppConfig):
    """Registers the template tags with Django."""

    name = "portability.ui"
