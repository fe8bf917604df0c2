"""Column mappings: shipped ones that nobody loses, and those that architects and administrators edit for everyone."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.exports.columns import sources
from portability.exports.mappings import shipped
from portability.exports.models import ColumnMapping
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from tests.conftest import Cast
from tests.register.generate import generate

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]
GOLDEN = Path(__file__).parent / "golden"


def form(*columns: dict[str, object], name: str = "Board pack", initial: int = 0, **more: object) -> dict[str, object]:
    """What a browser sends of the form."""
    data: dict[str, object] = {"name": name, "note": "", "act": "save", **more}
    data |= {"columns-TOTAL_FORMS": len(columns), "columns-INITIAL_FORMS": initial}
    for number, column in enumerate(columns):
        full: dict[str, object] = {"heading": "", "source": "", "text": "", "words": "", "ORDER": "", **column}
        data |= {f"columns-{number}-{key}": value for key, value in full.items()}
    return data


NAME = {"heading": "Name", "source": "workload", "ORDER": 2}
IMPACT = {"heading": "Impact", "source": "criticality", "words": "critical = 5; low = 1", "ORDER": 1}
KIND = {"heading": "Kind", "text": "GPU supply", "ORDER": 3}


def add(client: Client, *columns: dict[str, object], **more: Any) -> Any:
    return client.post(reverse("exports:new_mapping"), form(*columns, **more))


def rows(client: Client, slug: str) -> list[list[str]]:
    answer = client.get(reverse("exports:take", args=["csv"]), {"mapping": slug, "sort": "workload"})
    assert isinstance(answer, StreamingHttpResponse), answer.content
    return list(csv.reader(io.StringIO(answer.getvalue().decode("utf-8-sig"), newline="")))


def test_the_shipped_ones_are_whole() -> None:
    assert list(shipped()) == ["risk-register", "short-list"]
    for mapping in shipped().values():
        assert mapping.gone == []
        headings = [column.heading for column in mapping.columns]
        assert len(headings) == len(set(headings))
    assert "risk id" in sources()


@pytest.mark.parametrize("slug", ["risk-register", "short-list"])
def test_a_shipped_one_gives_the_golden_file(reader: Client, slug: str) -> None:
    DefaultTarget.objects.create(vendor="nvidia", target=generate(12))
    first = min(Row.objects.values_list("workload_id", flat=True))
    raw = reader.get(reverse("exports:take", args=["csv"]), {"mapping": slug})
    assert isinstance(raw, StreamingHttpResponse)
    text = raw.getvalue().decode()
    for pk in Row.objects.values_list("workload_id", flat=True):  # ids are the database's, not the file's
        text = text.replace(f"/workloads/{pk}/", f"/workloads/{pk - first + 1}*/")
        text = re.sub(rf"(?m)^{pk}-mi300x", f"{pk - first + 1}*-mi300x", text)
    assert text.encode() == (GOLDEN / f"{slug}.csv").read_bytes()


def test_json_is_the_golden_file(reader: Client) -> None:
    generate(6)
    raw = reader.get(reverse("exports:take", args=["json"]))
    assert isinstance(raw, StreamingHttpResponse)
    document = json.loads(raw.getvalue())
    document["about"]["exported_at"] = "then"
    for row in document["rows"]:
        row["link"] = re.sub(r"/\d+/", "/*/", row["link"])
    assert document == json.loads((GOLDEN / "register.json").read_text())


def test_one_of_ones_own_is_everyone_s(cast: Cast, client_of: ClientOf) -> None:
    generate(4)
    answer = add(client_of(cast.architect), NAME, IMPACT, KIND, {})
    assert answer.status_code == 302
    assert rows(client_of(cast.viewer), "board-pack")[:3] == [
        ["Impact", "Name", "Kind"],
        ["5", "workload-00000", "GPU supply"],
        ["high", "workload-00001", "GPU supply"],
    ]
    page = client_of(cast.viewer).get(reverse("exports:mappings")).content.decode()
    assert "Board pack" in page and "Plain risk register" in page and "Add a mapping" not in page
    assert Entry.objects.get(action="mapping.added").details["columns"] == ["Impact", "Name", "Kind"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ([{}], "Choose at least one column"),
        ([{"source": "workload", "ORDER": 1}], "This field is required"),
        ([NAME, {"heading": "NAME", "source": "team"}], "Two columns are called NAME"),
        ([{"heading": "a", "source": "nothing"}], "Select a valid choice"),
        ([{"heading": "a", "source": "team", "text": "b"}], "not both"),
        ([{"heading": "a", "source": "team", "words": "nonsense"}], "is not written as: value = word"),
        ([{"heading": "a", "text": "b", "words": "c = d"}], "whose values could be called otherwise"),
    ],
    ids=["none", "heading", "twice", "source", "both", "words", "words-of-nothing"],
)
def test_what_makes_no_sense_is_told_and_kept(
    cast: Cast, client_of: ClientOf, columns: list[dict[str, object]], words: str
) -> None:
    generate(1)
    answer = add(client_of(cast.architect), *columns, name="Kept words")
    assert answer.status_code == 422
    assert words in answer.content.decode() and "Kept words" in answer.content.decode()
    assert not ColumnMapping.objects.exists()


@pytest.mark.parametrize("name", ["Plain risk register", "Risk register", "BOARD PACK", "数据"])
def test_names_are_ones_own(cast: Cast, client_of: ClientOf, name: str) -> None:
    client = client_of(cast.architect)
    add(client, NAME)
    answer = add(client, KIND, name=name)
    if name == "Plain risk register":  # another address than the shipped one's
        assert answer.status_code == 302
    else:
        assert answer.status_code == 422


def test_it_is_edited_its_order_changed_and_columns_removed(cast: Cast, client_of: ClientOf) -> None:
    generate(2)
    client = client_of(cast.administrator)
    add(client, NAME, IMPACT, KIND)
    url = reverse("exports:edit_mapping", args=["board-pack"])
    page = client.get(url).content.decode()
    assert page.index("Impact") < page.index("GPU supply") and "critical = 5; low = 1" in page
    removed = {**IMPACT, "ORDER": 1, "DELETE": "on"}
    changed = form({**KIND, "ORDER": 1}, NAME, removed, initial=3, version=1, name="Board papers")
    assert client.post(url, changed).status_code == 302
    assert rows(client, "board-pack")[0] == ["Kind", "Name"]
    entry = Entry.objects.get(action="mapping.saved")
    assert (entry.subject, entry.details["removed"], entry.details["before"]) == (
        "Board papers",
        ["Impact"],
        "Board pack",
    )
    again = client.post(url, form({**KIND, "ORDER": 1}, NAME, initial=2, version=2, name="Board papers"))
    assert again.status_code == 302 and Entry.objects.filter(action="mapping.saved").count() == 1


def test_two_at_once_are_told_of_each_other(cast: Cast, client_of: ClientOf) -> None:
    add(client_of(cast.architect), NAME)
    url = reverse("exports:edit_mapping", args=["board-pack"])
    client_of(cast.administrator).post(url, form(KIND, initial=1, version=1))
    answer = client_of(cast.architect).post(url, form({**NAME, "heading": "Mine"}, initial=1, version=1))
    text = answer.content.decode()
    assert answer.status_code == 409 and "administrator saved this mapping" in text and "Mine" in text
    assert ColumnMapping.objects.get().columns[0]["heading"] == "Kind"
    assert 'name="version" value="2"' in text


def test_it_is_previewed_and_given_more_rows_without_saving(cast: Cast, client_of: ClientOf) -> None:
    generate(3)
    client = client_of(cast.architect)
    text = add(client, NAME, KIND, act="preview").content.decode()
    assert "workload-0000" in text and "GPU supply</td>" in text
    assert "apostrophe" not in add(client, {**NAME, "heading": "=1+1"}, act="preview").content.decode()
    assert "&#x27;=1+1</th>" in add(client, {**NAME, "heading": "=1+1"}, act="preview").content.decode()
    more = add(client, NAME, act="more").content.decode()
    assert 'name="columns-5-heading"' in more
    assert not ColumnMapping.objects.exists()


def test_a_shipped_one_is_copied_and_neither_edited_nor_deleted(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    client = client_of(cast.architect)
    copy = client.get(reverse("exports:new_mapping"), {"from": "risk-register"}).content.decode()
    assert "Plain risk register, ours" in copy and "Risk owner" in copy
    assert client.get(reverse("exports:edit_mapping", args=["risk-register"])).status_code == 404
    assert client.post(reverse("exports:delete_mapping", args=["risk-register"])).status_code == 404
    assert rows(client, "risk-register")


def test_a_column_that_is_gone_is_told_and_no_file_is_made(cast: Cast, client_of: ClientOf) -> None:
    generate(1)
    ColumnMapping.objects.create(slug="old", name="Old", columns=[{"heading": "Zone", "source": "zone of old"}])
    client = client_of(cast.architect)
    assert "1 no longer there" in client.get(reverse("exports:mappings")).content.decode()
    assert "“zone of old” (under Zone)" in client.get(reverse("exports:mapping", args=["old"])).content.decode()
    answer = client.get(reverse("exports:take", args=["csv"]), {"mapping": "old"})
    assert answer.status_code == 400 and "zone of old" in answer.content.decode()
    page = client.get(reverse("exports:new"), {"mapping": "old"})
    assert page.status_code == 422 and "Edit the mapping Old" in page.content.decode()
    assert "zone of old (no longer there)" in client.get(reverse("exports:edit_mapping", args=["old"])).content.decode()


def test_it_is_deleted(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.architect)
    add(client, NAME)
    assert client.post(reverse("exports:delete_mapping", args=["board-pack"])).status_code == 302
    assert client.get(reverse("exports:mapping", args=["board-pack"])).status_code == 404
    assert Entry.objects.get(action="mapping.deleted").details["columns"] == ["Name"]


def test_all_of_them_cost_the_same_few_queries(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for n in range(20):
        ColumnMapping.objects.create(slug=f"m{n}", name=f"m{n}", columns=[{"heading": "a", "source": "team"}])
    client = client_of(cast.viewer)
    with django_assert_max_num_queries(7):
        client.get(reverse("exports:mappings"))
