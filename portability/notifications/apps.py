"""The notifications room."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """People and receivers that are told of what moved."""

    name = "portability.notifications"
    default_auto_field = "django.db.models.BigAutoField"
