"""Rows of an organisation's own: in which order they are tried, and as what a finding rests on them."""

from __future__ import annotations

from datetime import date

from portability.engine.model import Vendor
from portability.engine.vendor_rows.rows import OWN_SOURCE, SOURCE, Row, Table, particular_first


def own(pattern: str, table: Table = Table.IMAGES) -> Row:
    return Row(table, pattern, Vendor.NVIDIA, source=OWN_SOURCE, by="ana", entered=date(2026, 11, 30), link="/own/1/")


def test_the_row_that_spells_out_more_characters_is_tried_first() -> None:
    rows = [own(pattern) for pattern in ("ml/*", "ml/scorer-###", "ml/b", "ml/a", "ml/scorer-1")]
    found = [row.pattern for row in particular_first(rows)]
    assert found == ["ml/scorer-1", "ml/scorer-###", "ml/a", "ml/b", "ml/*"]
    assert found == [row.pattern for row in particular_first(reversed(rows))], "in whatever order they were entered"


def test_what_rests_on_an_own_row_names_it_and_who_entered_it() -> None:
    evidence = own("ml/scorer").evidence()
    assert (evidence.source, evidence.by, evidence.cell) == (OWN_SOURCE, "ana", "images/ml/scorer")
    shipped = Row(Table.IMAGES, "ml/scorer", Vendor.NVIDIA).evidence()
    assert (shipped.source, shipped.by) == (SOURCE, "")
