"""Throwing a draft away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.matrices import actions
from portability.matrices.models import Document, Release
from tests.conftest import Cast
from tests.matrices.keeping import given, post, publish, redraft

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]


def test_a_draft_goes_with_its_documents_and_the_trail_tells_of_it(cast: Cast, client_of: ClientOf) -> None:
    made = actions.read_draft(cast.curator, given())
    cells = made.cells.count()
    page = post(client_of(cast.administrator), made, "discard").content.decode()
    assert "The draft of ROCm compatibility matrix 9.9.0 was discarded." in page
    assert not Release.objects.filter(pk=made.pk).exists()
    assert not Document.objects.exists()
    entry = Entry.objects.get(action="matrix.discarded")
    assert (entry.who, entry.details["cells"]) == (cast.administrator, cells)


def test_only_curators_and_administrators_discard(cast: Cast, client_of: ClientOf) -> None:
    made = actions.read_draft(cast.curator, given())
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            actions.discard(person, made.pk)
        assert post(client_of(person), made, "discard").status_code == 403
    assert Release.objects.filter(pk=made.pk).exists()


def test_what_was_published_meanwhile_stays(cast: Cast, client_of: ClientOf) -> None:
    made = redraft(Release.objects.get(version="7.14.0"))
    publish(cast.administrator, made)
    answer = post(client_of(cast.curator), made, "discard")
    assert answer.status_code == 409
    assert "was published by administrator in the meantime" in answer.content.decode()
    assert Release.objects.get(pk=made.pk).state == "published"
