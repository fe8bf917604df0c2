"""Which version of the product judges: the one that was prepared last. Processes of another may still be running."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from portability.engine.rules.catalogue import digest
from portability.register.models import InForce
from portability.rules.locking import one_at_a_time


@transaction.atomic
def put_in_force() -> None:
    """From now on this version judges. Workers that run another one leave batches to those of this."""
    one_at_a_time()
    if InForce.objects.filter(digest=digest()).exists():
        return
    InForce.objects.update_or_create(pk=1, defaults={"digest": digest(), "since": timezone.now()})


def is_in_force() -> bool:
    """Whether this process runs the version that judges; where none was ever prepared, any does."""
    found = InForce.objects.values_list("digest", flat=True).first()
    return found is None or found == digest()
