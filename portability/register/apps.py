"""The register room."""

from django.apps import AppConfig


class RegisterConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.register"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have the rows follow their workloads."""
        from portability.register import repeated

        repeated.follow()
