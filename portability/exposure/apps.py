"""The exposure room."""

from django.apps import AppConfig


class ExposureConfig(AppConfig):
    """Registers the room with Django. It stores nothing: it reads the register and the reviews."""

    name = "portability.exposure"
