"""`manage.py serve`: the embedded product, on this machine alone. `make run` calls it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from portability.ops import processes
from portability.ops.first_start import is_sample, prepare
from portability.ops.printing import table


class Command(BaseCommand):
    """Prepare the register that PORTABILITY_REGISTER names, and serve it until Ctrl-C."""

    help = "Serves an SQLite register on 127.0.0.1, with its worker, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        """The port."""
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        """Prepare, print logins once, serve."""
        if settings.SERVED:
            raise CommandError(
                "DATABASE_URL is set: web, worker and beat are processes of their own there, as compose.yaml lists "
                "them. Unset it to serve an SQLite register."
            )
        try:
            with processes.only_one():
                processes.check_port(port)
                self._say_logins(prepare(self.stdout.write))
                processes.serve(port, lambda: self._say_where(port))
        except processes.CannotServe as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Stopped.")

    def _say_logins(self, made: list[Any]) -> None:
        if made:
            self.stdout.write(table(made))
        else:
            how = "make passwords" if is_sample() else f"make passwords REGISTER={settings.REGISTER} WHO=name"
            self.stdout.write(f"Passwords were printed at the first start, and are not kept. New ones: {how}")

    def _say_where(self, port: int) -> None:
        self.stdout.write(f"\nThe register is at http://127.0.0.1:{port}/  (Ctrl-C stops it)")
        self.stdout.write(f"It is kept in {settings.DATABASES['default']['NAME']}, its log in {processes.log_file()}")
        self.stdout.flush()
