"""`manage.py prepare`: make the database ready to be served. Run it before every start of a new version."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from portability.ops.first_start import prepare
from portability.ops.printing import table


class Command(BaseCommand):
    """Migrate, load what ships, create the first administrator."""

    help = "Migrates, loads shipped matrices and targets, and creates the first administrator where there is none."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare, and print a new login once."""
        if made := prepare(self.stdout.write):
            self.stdout.write(table(made))
