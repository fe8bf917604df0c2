"""Whether there is a register to work on: asked by commands that do not prepare one themselves."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from portability.ops.copies import register_file
from portability.ops.health import migrations_pending


def must_be_ready() -> None:
    """Go on only where there is a register, and it is as this version of the product has it. Makes no file.

    Raises `CommandError`, which says what there is and what to do.
    """
    if connection.vendor == "sqlite" and connection.connection is None and not register_file().exists():
        folder = register_file().parent
        there = ", ".join(sorted(file.stem for file in folder.glob("*.sqlite3") if "." not in file.stem))
        raise CommandError(
            f"There is no register {settings.REGISTER} in {folder}. "
            + (f"PORTABILITY_REGISTER names one of these: {there}." if there else "Start the product first: make run.")
        )
    if migrations_pending():
        raise CommandError("The register is of another version. Start the product first, which brings it to this one.")
