"""`manage.py load_sample`: the sample register, for looking around. Logins are made where the register is served."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portability.matrices.actions import load_shipped
from portability.organisation.actions import choose_default_targets
from portability.targets.actions import load_shipped_targets
from portability.workloads.actions import Refused
from portability.workloads.sample.loading import load_sample


class Command(BaseCommand):
    """Load the sample into an empty register; a second run changes nothing."""

    help = "Loads a sample register (four teams and their workloads) into an empty register that is not served."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load what ships, then the sample, and say in one line what happened."""
        load_shipped()
        load_shipped_targets()
        choose_default_targets()
        try:
            registered = load_sample()
        except Refused as refused:
            raise CommandError(str(refused)) from None
        said = f"Registered {registered} sample workloads." if registered else "The sample is already there."
        if options["verbosity"]:
            self.stdout.write(said)
