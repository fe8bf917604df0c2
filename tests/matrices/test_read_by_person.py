"""Sources that the product does not read: whoever publishes says that they went through the document."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import actions
from portability.matrices.drafts import Refused
from portability.matrices.models import Release
from tests.conftest import Cast
from tests.matrices.keeping import DAY, ROCM, given, post, publish, redraft

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
SOURCE = "amd-device-plugin"
SOUP = b"# Soup\n\nBoil the leeks.\n"
BOX = "I have gone through this document and entered what differs"


def begun(cast: Cast) -> Release:
    """A draft from a document that has nothing to do with the source."""
    return actions.read_draft(cast.curator, given(SOUP, name="soup.md", source=SOURCE))


def page(client: Client, release: Release) -> str:
    """The page of a reading."""
    return client.get(reverse("matrices:release", args=[release.pk])).content.decode()


def test_the_draft_says_that_nobody_read_the_document_yet(cast: Cast, client_of: ClientOf) -> None:
    made = begun(cast)
    text = page(client_of(cast.curator), made)
    assert "The product does not read this source’s page." in text
    assert "taken along from the reading of" in text
    assert "As it was given, to be read by a person" in text
    assert "Nothing was entered yet: every cell is taken along as it was." in text
    assert BOX in text and 'name="gone_through" required' in text
    assert BOX not in page(client_of(cast.viewer), made)


def test_it_is_not_published_before_somebody_says_that_they_read_it(cast: Cast, client_of: ClientOf) -> None:
    made = begun(cast)
    with pytest.raises(Refused, match="The product does not read"):
        publish(cast.curator, made)
    assert "say by the box that you have" in post(client_of(cast.curator), made).content.decode()
    made.refresh_from_db()
    assert made.state == "draft"
    assert "is published" in post(client_of(cast.curator), made, gone_through="on").content.decode()
    entry = Entry.objects.filter(action="matrix.published", who=cast.curator).get()
    assert entry.details["gone_through"] is True


def test_one_cell_by_hand_claims_no_new_reading_and_asks_for_no_box(cast: Cast, client_of: ClientOf) -> None:
    present = Release.objects.get(source=SOURCE, state="published")
    cell = present.cells.first()
    assert cell is not None
    values = actions.CellValues(cell.key, "otherwise", "its release notes say so", "https://docs.example.com/notes")
    made = actions.enter_cell(cast.curator, present.pk, values)
    assert BOX not in page(client_of(cast.curator), made)
    assert publish(cast.curator, made).release.read == present.read


def test_what_the_product_reads_asks_for_no_box(cast: Cast, client_of: ClientOf) -> None:
    made = actions.read_draft(cast.curator, given())
    assert BOX not in page(client_of(cast.curator), made)
    publish(cast.curator, made)
    assert "gone_through" not in Entry.objects.filter(action="matrix.published", who=cast.curator).get().details


def test_the_list_of_sources_says_who_reads_which(cast: Cast, client_of: ClientOf) -> None:
    text = client_of(cast.curator).get("/matrices/read/").content.decode()
    product, person = text.index('<optgroup label="Read by the product">'), text.index('label="Read by a person"')
    assert product < text.index(f'value="{ROCM}"') < person < text.index(f'value="{SOURCE}"')
    chosen = client_of(cast.curator).get(f"/matrices/read/?source={SOURCE}").content.decode()
    assert f'value="{SOURCE}" selected' in chosen


def test_a_draft_of_an_earlier_day_says_so_instead_of_offering_to_publish(cast: Cast, client_of: ClientOf) -> None:
    present = Release.objects.get(source=ROCM, version="7.14.0", state="published")
    made = redraft(present, {"driver/mi300x": "31.99.0"}, read=present.read - timedelta(days=1))
    text = page(client_of(cast.curator), made)
    assert "it cannot be published" in text and "Discard the draft" in text
    assert "Publish</button>" not in text and "What publishing would move" not in text
    later = page(client_of(cast.curator), redraft(present, read=DAY))
    assert "Publish</button>" in later and "it cannot be published" not in later
