"""The audit room."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.audit"
    default_auto_field = "django.db.models.BigAutoField"
