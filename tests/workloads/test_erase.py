"""Erasing a value from all revisions: `/workloads/erase/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.engine.manifests.secrets import MARKER
from portability.workloads.actions import Entry as WorkloadEntry
from portability.workloads.actions import save_workload
from portability.workloads.contents import content
from portability.workloads.models import ManifestFile, Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING, fields

ClientOf = Callable[[Person | None], Client]
URL = "/workloads/erase/"
VALUE = "zebra-9981-unrecognised"
LEAKY = SERVING.replace("v0.11.0", f"v0.11.0-{VALUE}")


@pytest.fixture
def leaky(cast: Cast, shipped: None, register_as: Any) -> Workload:
    """Two revisions that hold a value in an image: in texts, facts, findings, and what is rendered of them."""
    workload: Workload = register_as(cast.member, cast.search, f"chat {VALUE}", ("a.yaml", LEAKY), engine_version=VALUE)
    later = WorkloadEntry(content([("a.yaml", LEAKY + "# later\n")], {}))
    save_workload(cast.member, later, workload=workload.pk, version=1)
    return workload


@pytest.mark.database
def test_works(cast: Cast, leaky: Workload, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]) -> None:
    before = stored_anywhere(VALUE)
    assert {"workloads_manifestfile", "workloads_revision", "register_assessment", "register_row"} <= set(before)
    answer = client_of(cast.administrator).post(URL, {"value": f"  {VALUE}\n"})
    assert "Erased in" in answer.content.decode()
    assert VALUE not in answer.content.decode()
    assert stored_anywhere(VALUE) == []
    assert ManifestFile.objects.count() == 2
    assert all(f"v0.11.0-{MARKER}" in f.text for f in ManifestFile.objects.all())
    entry = Entry.objects.get(action="value.erased")
    assert (entry.who, entry.details["files"]) == (cast.administrator, 2)


def test_the_page_of_the_workload_still_works(cast: Cast, leaky: Workload, client_of: ClientOf) -> None:
    client_of(cast.administrator).post(URL, {"value": VALUE})
    page = client_of(cast.member).get(f"/workloads/{leaky.pk}/").content.decode()
    assert f"vllm/vllm-openai:v0.11.0-{MARKER}" in page


def test_an_owner_is_no_longer_found_by_their_name(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    workload = register_as(cast.member, cast.search, "chat", ("a.yaml", SERVING))
    Workload.objects.filter(pk=workload.pk).update(owner="Alice.Smith-9981")
    assert stored_anywhere("alice.smith-9981"), "rows are found by small letters"
    client_of(cast.administrator).post(URL, {"value": "Alice.Smith-9981"})
    assert stored_anywhere("Alice.Smith-9981") == stored_anywhere("alice.smith-9981") == []


def test_the_same_content_is_still_the_same(cast: Cast, leaky: Workload, client_of: ClientOf) -> None:
    client_of(cast.administrator).post(URL, {"value": VALUE})
    text = LEAKY.replace(VALUE, MARKER) + "# later\n"
    sent = fields(cast.search.pk, text, version=2, file_name=["a.yaml"], owner="", criticality="medium")
    client_of(cast.member).post(f"/workloads/{leaky.pk}/edit/", sent)
    assert leaky.revisions.count() == 2


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_on_disk(
    cast: Cast, leaky: Workload, client_of: ClientOf, bytes_on_disk: Callable[[str], list[str]]
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's files are the server's; its vacuum frees them")
    assert bytes_on_disk(VALUE)
    client_of(cast.administrator).post(URL, {"value": VALUE})
    assert bytes_on_disk(VALUE) == []


def test_a_value_of_several_lines_is_erased_line_by_line(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    text = "kind: ConfigMap\ndata:\n  note: |\n    first-part-of-it\n    second-part-of-it\n"
    register_as(cast.member, cast.search, "x", ("a.yaml", text))
    client_of(cast.administrator).post(URL, {"value": "first-part-of-it\nsecond-part-of-it"})
    assert stored_anywhere("-part-of-it") == []
    assert ManifestFile.objects.get().text.count("\n") == text.count("\n")


def test_what_stands_nowhere_changes_nothing(cast: Cast, leaky: Workload, client_of: ClientOf) -> None:
    answer = client_of(cast.administrator).post(URL, {"value": "never-heard-of"})
    assert "stands nowhere" in answer.content.decode()


def test_a_short_value_is_refused(cast: Cast, leaky: Workload, client_of: ClientOf) -> None:
    for value in ("", "  ", "gpu", "long-enough\nno", MARKER):
        assert client_of(cast.administrator).post(URL, {"value": value}).status_code == 422
    assert LEAKY in [f.text for f in ManifestFile.objects.all()]


@pytest.mark.parametrize("word", ["origin", "origins", "reason", "effect", "containers", "sources", "workload"])
def test_a_word_that_the_product_itself_stores_is_refused(
    cast: Cast, leaky: Workload, client_of: ClientOf, word: str
) -> None:
    answer = client_of(cast.administrator).post(URL, {"value": word})
    assert answer.status_code == 422 and "this product itself writes" in answer.content.decode()
    assert client_of(cast.member).get(f"/workloads/{leaky.pk}/").status_code == 200


def test_a_word_of_many_workloads_is_asked_for_twice(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    for n in range(6):
        register_as(cast.member, cast.search, f"w{n}", ("a.yaml", SERVING + f"# {VALUE}\n"))
    admin = client_of(cast.administrator)
    page = admin.post(URL, {"value": VALUE})
    assert page.status_code == 422 and "stands in 6 workloads" in page.content.decode()
    assert 'name="everywhere"' in page.content.decode() and VALUE not in page.content.decode()
    assert stored_anywhere(VALUE)
    assert admin.post(URL, {"value": VALUE, "everywhere": "yes"}).status_code == 200
    assert stored_anywhere(VALUE) == []


@pytest.mark.database
def test_a_name_that_grows_is_cut_to_its_column(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf
) -> None:
    workload = register_as(cast.member, cast.search, "zebra1" * 20, ("a.yaml", SERVING))
    assert client_of(cast.administrator).post(URL, {"value": "zebra1"}).status_code == 200
    workload.refresh_from_db()
    assert workload.name == (MARKER * 20)[:120]


def test_names_that_would_become_the_same_are_refused(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf
) -> None:
    for name in ("zebra-one", "zebra-two"):
        register_as(cast.member, cast.search, name, ("a.yaml", SERVING))
    answer = client_of(cast.administrator).post(URL, {"value": "zebra-one\nzebra-two"})
    assert answer.status_code == 422 and "Rename one of them" in answer.content.decode()
    assert set(Workload.objects.values_list("name", flat=True)) == {"zebra-one", "zebra-two"}


def test_nobody_else_knows_of_it(cast: Cast, leaky: Workload, client_of: ClientOf) -> None:
    for person in (cast.member, cast.viewer, cast.architect, cast.curator):
        assert client_of(person).get(URL).status_code == 404
        assert client_of(person).post(URL, {"value": VALUE}).status_code == 404
    assert LEAKY in [f.text for f in ManifestFile.objects.all()]


def test_wrong_method(cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.administrator).delete(URL).status_code == 405


@pytest.mark.database
def test_a_value_in_capitals_is_not_left_in_small_letters_by_which_rows_are_found(
    cast: Cast, shipped: None, register_as: Any, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    text = SERVING.replace("v0.11.0", "v0.11.0-SECRET-7781")
    register_as(cast.member, cast.search, "Holds-SECRET-7781", ("a.yaml", text))
    assert "register_row" in stored_anywhere("secret-7781")
    client_of(cast.administrator).post(URL, {"value": "SECRET-7781"})
    assert stored_anywhere("secret-7781") == []
