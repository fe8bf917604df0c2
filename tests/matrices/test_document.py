"""A raw document is served as a plain text to keep, whatever is in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.matrices import actions
from portability.matrices.models import Document
from tests.conftest import Cast
from tests.matrices.keeping import PAGE, given

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]


def test_it_is_never_a_page_of_ours(cast: Cast, client_of: ClientOf) -> None:
    content = PAGE.replace(b"<table", b"<script>alert(1)</script><table", 1)
    actions.read_draft(cast.curator, given(content, name="page.html"))
    document = Document.objects.get()
    answer = client_of(cast.viewer).get(reverse("matrices:document", args=[document.pk]))
    assert answer.content == content
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="page.html.txt"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    page = client_of(cast.viewer).get(reverse("matrices:release", args=[document.release_id])).content.decode()
    assert document.digest in page
    assert "alert(1)" not in page


def test_nobody_else_reads_it(cast: Cast, client_of: ClientOf) -> None:
    actions.read_draft(cast.curator, given())
    url = reverse("matrices:document", args=[Document.objects.get().pk])
    assert client_of(None).get(url).status_code == 302
    assert client_of(cast.viewer).get(reverse("matrices:document", args=[999999])).status_code == 404
