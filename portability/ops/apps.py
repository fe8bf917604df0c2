"""The ops room as a Django application."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Makes tasks know their broker in every process, the web's included."""

    name = "portability.ops"

    def ready(self) -> None:
        """Import the Celery application here and not in `portability`, which the engine must import without Django."""
        from portability import celery  # noqa: F401
