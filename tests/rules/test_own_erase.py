"""A secret that somebody put into a row of the organisation's own is erased with all else that holds it."""

from __future__ import annotations

import pytest

from portability.register import queries as register
from portability.rules.models import VendorRow
from portability.targets.models import Target
from portability.workloads.actions import erase_value
from tests.conftest import Cast
from tests.rules.own import enter, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]
VALUE = "hunter2-0123456789"


def test_a_value_is_erased_from_rows_and_from_what_rests_on_them(cast: Cast, world: Target) -> None:
    enter(
        cast.curator,
        counterpart=f"ml/scorer-rocm?token={VALUE}",
        note=f"ask with {VALUE}",
        link=f"https://x.example/{VALUE}",
    )
    work()
    erase_value(cast.administrator, VALUE)
    row = VendorRow.objects.get()
    assert VALUE not in f"{row.counterpart} {row.note} {row.link}"
    assert (row.table, row.vendor, row.effect, row.entered_by_name) == ("images", "nvidia", "change", "curator")
    assert len(register.outdated_pairs()) == 3, "judged by a row of other words: all is judged again, when asked for"
