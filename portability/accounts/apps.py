"""The accounts room."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Registers the room with Django."""

    name = "portability.accounts"
    default_auto_field = "django.db.models.BigAutoField"
