"""`manage.py load_shipped`: matrices and targets that ship with the product. Safe to run at every start."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from portability.matrices.actions import load_shipped
from portability.organisation.actions import choose_default_targets
from portability.register.actions import reassess_outdated
from portability.register.in_force import put_in_force
from portability.register.queries import running
from portability.targets.actions import load_shipped_targets
from portability.waiting import patiently


class Command(BaseCommand):
    """Load what ships with the product; a second run changes nothing."""

    help = "Loads the shipped sources, matrix releases and targets. Never touches what a person entered or edited."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, and say what is new in one line each. What the news makes out of date is assessed again in a run."""
        with patiently():
            said = _load()
        if said and options["verbosity"]:
            self.stdout.write("\n".join(said))


def _load() -> list[str]:
    put_in_force()
    loaded = load_shipped()
    said = [
        f"published {name}{' in place of the earlier one' * (name in loaded.superseded)}" for name in loaded.published
    ]
    said += [f"kept the present reading of {name}: a person entered it, or it is newer" for name in loaded.kept]
    said += [f"added target {name}" for name in load_shipped_targets()]
    said += choose_default_targets()
    before, run = running(), reassess_outdated(None)
    if run is not None and run != before:
        said.append(f"assessing again what is out of date: {run.total}")
    return said
