"""A manifest of a revision: `/workloads/<pk>/revisions/<number>/files/<position>/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from portability.accounts.models import Person
from portability.workloads.models import Workload
from portability.workloads.queries import LINES_PER_PAGE, file_address
from tests.conftest import Cast
from tests.workloads.texts import SERVING

ClientOf = Callable[[Person | None], Client]


def test_works(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    page = client_of(cast.member).get(file_address(saved.pk, 1, 1)).content.decode()
    assert '<span id="L13"><a class="ln" href="#L13" tabindex="-1">13</a>          image: vllm/' in page
    assert page.count('<span id="L') == len(SERVING.split("\n"))


def test_who_may(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    address = file_address(saved.pk, 1, 1)
    for person in (cast.member, cast.teammate, cast.architect, cast.administrator):
        assert client_of(person).get(address).status_code == 200
    for person in (cast.outsider, cast.viewer, cast.curator):
        answer = client_of(person).get(address)
        assert answer.status_code == 403
        assert "vllm" not in answer.content.decode()


def test_bad_ids_and_wrong_method(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    for numbers in ((999_999, 1, 1), (saved.pk, 9, 1), (saved.pk, 1, 9)):
        assert client.get(file_address(*numbers)).status_code == 404
    assert client.post(file_address(saved.pk, 1, 1)).status_code == 405


def test_a_long_file_is_paged_and_a_link_leads_to_the_page(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf
) -> None:
    text = "# line\n" * (LINES_PER_PAGE + 500) + SERVING
    workload = register_as(cast.member, cast.search, "long", ("long.yaml", text))
    line = LINES_PER_PAGE + 513
    address = file_address(workload.pk, 1, 1, line)
    assert address.endswith(f"?page=2#L{line}")
    page = client_of(cast.member).get(address.partition("#")[0]).content.decode()
    assert f'<span id="L{line}">' in page
    assert '<span id="L1">' not in page
    assert f'href="{address}"' in client_of(cast.member).get(f"/workloads/{workload.pk}/").content.decode()


def test_markup_stays_text(cast: Cast, shipped: None, register_as: Any, client_of: ClientOf) -> None:
    workload = register_as(cast.member, cast.search, "x", ("a.yaml", "# </pre><script>alert(1)</script>\n"))
    page = client_of(cast.member).get(file_address(workload.pk, 1, 1)).content.decode()
    assert "<script>alert" not in page
    assert "&lt;/pre&gt;&lt;script&gt;" in page
