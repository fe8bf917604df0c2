"""`manage.py restore FILE`: make an SQLite register what a copy holds. `make restore` calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portability.ops import copies, processes


class Command(BaseCommand):
    """Put a copy back."""

    help = "Replaces the SQLite register by a copy; what it held is kept beside it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where from."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Restore while nobody serves the register, and say where the former state is."""
        try:
            with processes.only_one():
                kept = copies.put_back(file)
        except (copies.CannotCopy, processes.CannotServe) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored {file}." + (f" What was there until now: {kept}" if kept else ""))
