"""`manage.py passwords`: new random passwords, printed once. `make passwords` calls it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portability.accounts.actions import Refused
from portability.ops import logins
from portability.ops.first_start import is_sample
from portability.ops.printing import table
from portability.ops.ready import must_be_ready


class Command(BaseCommand):
    """For who lost a password, or is locked out, and has a terminal on the machine."""

    help = "Gives people new random passwords, prints them once and lifts lockouts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Who."""
        parser.add_argument("username", nargs="*", help="in the sample register, all its logins by default")

    def handle(self, *args: Any, username: list[str], **options: Any) -> None:
        """Renew and print."""
        must_be_ready()
        if not username and not is_sample():
            raise CommandError("Say whose password: make passwords REGISTER=name WHO=username")
        try:
            self.stdout.write(table(logins.renew(username or list(logins.ROLES))))
        except Refused as error:
            raise CommandError(str(error)) from None
