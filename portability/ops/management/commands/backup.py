"""`manage.py backup`: copy an SQLite register, served or not. `make backup` calls it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from portability.ops import copies


class Command(BaseCommand):
    """Take a copy."""

    help = "Copies the SQLite register to a file, by default a dated one in the data folder's backups."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to."""
        parser.add_argument("file", nargs="?", type=Path)

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        """Copy, and say where."""
        dated = f"{settings.REGISTER}-{datetime.now():%Y%m%d-%H%M%S}.sqlite3"
        try:
            copy = copies.take(file or Path(settings.DATA_DIR) / "backups" / dated)
        except copies.CannotCopy as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Copied to {copy}")
