"""Reading documents into a draft: what is kept, who may, and that nothing half read is."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.engine.errors import InputError
from portability.engine.matrices.knowledge import Ledger
from portability.matrices import actions
from portability.matrices.drafts import READ_OFF, Refused, cells_digest
from portability.matrices.models import Cell, Document, Release
from portability.matrices.queries import knowledge
from tests.conftest import Cast
from tests.engine.matrices.importers.samples import FEATURES, OPERATOR, QUANTIZATION, as_rst, systems
from tests.matrices.keeping import DAY, PAGE, ROCM, draft, given, publish

pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.usefixtures("shipped")]
ClientOf = Callable[[Person | None], Client]
URL = "/matrices/read/"
FIELDS = {"source": ROCM, "version": "", "read": DAY.isoformat(), "link": "", "text": ""}


def zipped() -> bytes:
    """The page in an archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("page.html", PAGE)
    return file.getvalue()


def send(client: Client, *files: tuple[str, bytes], **fields: str) -> Any:
    """Send the form as a browser would."""
    documents = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(URL, FIELDS | fields | ({"documents": documents} if documents else {}), follow=True)


def test_a_reading_is_kept_with_its_cells_and_the_raw_document(cast: Cast) -> None:
    made = actions.read_draft(cast.curator, given(link="https://docs.example.com/9.9.0"))
    assert (made.source_id, made.version, made.state, made.read, made.read_by) == (
        ROCM,
        "9.9.0",
        "draft",
        DAY,
        "curator",
    )
    assert made.link == "https://docs.example.com/9.9.0"
    assert made.cells.get(key="os/mi350p/ubuntu/24.04.9").value == "6.17"
    assert made.cells.get(key="driver/mi300x").value == "39.20.1, 39.10.0"
    (document,) = made.documents.all()
    assert bytes(document.content) == PAGE
    assert (document.name, document.size) == ("page.html", len(PAGE))
    assert document.digest == hashlib.sha256(PAGE).hexdigest()
    entry = Entry.objects.filter(action="matrix.draft").get()
    assert (entry.who, entry.details["documents"]) == (cast.curator, [["page.html", document.digest]])
    assert entry.details["cells"] == made.cells.count()


def test_the_same_sent_twice_makes_one_draft(cast: Cast) -> None:
    first = actions.read_draft(cast.curator, given())
    assert actions.read_draft(cast.curator, given()) == first
    assert actions.read_draft(cast.administrator, given()) != first
    assert Entry.objects.filter(action="matrix.draft").count() == 2


def test_only_curators_and_administrators_read(cast: Cast, client_of: ClientOf) -> None:
    for person in (cast.viewer, cast.member, cast.architect):
        with pytest.raises(PermissionDenied):
            actions.read_draft(person, given())
        assert client_of(person).get(URL).status_code == 403
    assert actions.read_draft(cast.administrator, given()).pk
    assert Release.objects.filter(state="draft").count() == 1


HOSTILE = {
    "an archive": (zipped(), "page.html: is not text in UTF-8"),
    "UTF-16": (PAGE.decode().encode("utf-16"), "page.html: is not text in UTF-8"),
    "Latin-1": (PAGE + "é".encode("latin-1"), "is not text in UTF-8"),
    "a NUL": (PAGE + b"\x00", "holds a character that no text has"),
    "nothing": (b"   \n", "page.html: is empty"),
    "too much": (PAGE + b" " * 5_000_000, "at most 5,000,000 are read"),
    "another source": (FEATURES.encode(), "page.html: "),
    "half a page": (PAGE[: len(PAGE) // 2], "page.html"),
    "no table": (b"<!doctype html><title>ROCm 9.9.0</title><p>Moved.", "page.html"),
    "a table without its conditions": (PAGE.replace(b"data-show-cond", b"data-x"), "page.html"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_cannot_be_read_safely_is_refused_in_one_line_and_nothing_is_kept(what: str, cast: Cast) -> None:
    content, words = HOSTILE[what]
    before = Release.objects.count(), Cell.objects.count(), Document.objects.count(), Entry.objects.count()
    with pytest.raises(InputError) as refused:
        actions.read_draft(cast.curator, given(content))
    assert words in str(refused.value).replace(":1:", ":").replace(":2:", ":")
    assert "\n" not in str(refused.value)
    assert before == (Release.objects.count(), Cell.objects.count(), Document.objects.count(), Entry.objects.count())


def test_one_bad_file_of_several_refuses_all(cast: Cast) -> None:
    pages = [("systems.rst", as_rst(systems()).encode()), ("frameworks.rst", b"\xff\xfe")]
    with pytest.raises(InputError, match=r"frameworks\.rst"):
        actions.read_draft(cast.curator, given(documents=pages, version="9.9.0"))
    assert not Document.objects.exists()


def test_more_files_than_are_read_together(cast: Cast, client_of: ClientOf) -> None:
    page = send(client_of(cast.curator), *[(f"{n}.html", PAGE) for n in range(21)])
    assert page.status_code == 422
    assert "These are 21; at most 20 are read." in page.content.decode()


def test_the_form_says_the_importers_line(cast: Cast, client_of: ClientOf) -> None:
    page = send(client_of(cast.curator), ("page.html", zipped()))
    assert page.status_code == 422
    text = page.content.decode()
    assert "Nothing was kept. page.html:" in text
    assert "is not text in UTF-8" in text
    assert not Release.objects.filter(state="draft").exists()


def test_what_the_importer_asks_for_is_a_field_of_the_form(cast: Cast, client_of: ClientOf) -> None:
    text = as_rst(systems())
    page = send(client_of(cast.curator), ("systems.rst", text.encode())).content.decode()
    assert "does not say which ROCm version it describes; give the version with it" in page
    assert "--version" not in page
    assert "9.9.0 was read" in send(client_of(cast.curator), text=text, version="9.9.0").content.decode()


def test_a_document_by_paste(cast: Cast, client_of: ClientOf) -> None:
    page = send(client_of(cast.curator), text=PAGE.decode())
    assert "ROCm compatibility matrix 9.9.0 was read" in page.content.decode()
    assert Document.objects.get().name == "pasted.txt"


def test_a_file_or_a_paste_and_one_of_them(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    assert "Choose the saved page, or paste it below." in send(client).content.decode()
    assert "not both" in send(client, ("page.html", PAGE), text="x").content.decode()
    assert "empty" in send(client, ("page.html", b"")).content.decode()


def test_a_name_of_a_file_is_no_path_and_no_markup(cast: Cast, client_of: ClientOf) -> None:
    send(client_of(cast.curator), ("<script>alert(1)<.html", PAGE))
    assert Document.objects.get().name == "_script_alert_1__.html"


def test_a_day_to_come_is_refused(cast: Cast, client_of: ClientOf) -> None:
    tomorrow = timezone.localdate() + timedelta(days=1)
    with pytest.raises(Refused, match="future"):
        actions.read_draft(cast.curator, given(read=tomorrow))
    page = send(client_of(cast.curator), ("page.html", PAGE), read=tomorrow.isoformat())
    assert "This day lies in the future." in page.content.decode()


def test_a_version_as_it_was_read_before(cast: Cast) -> None:
    page = PAGE.replace(b"9.9.0", b"7.14")
    assert actions.read_draft(cast.curator, given(page, version="7.14")).version == "7.14.0"


def test_a_version_that_the_page_contradicts(cast: Cast) -> None:
    with pytest.raises(InputError, match=r"describes ROCm 9\.9\.0, not 7\.14\.0"):
        actions.read_draft(cast.curator, given(version="7.14.0"))
    with pytest.raises(Refused, match="is no version"):
        actions.read_draft(cast.curator, given(version="latest; drop"))


def test_a_page_without_versions_stays_without(cast: Cast) -> None:
    with pytest.raises(Refused, match="leave the version empty"):
        actions.read_draft(cast.curator, given(FEATURES.encode(), source="vllm-features", version="0.11"))
    assert actions.read_draft(cast.curator, given(FEATURES.encode(), source="vllm-features")).version == ""


def test_a_source_without_importer_takes_its_cells_along(cast: Cast) -> None:
    made = actions.read_draft(cast.curator, given(source="gpu-parts", documents=[]))
    present = Release.objects.get(source="gpu-parts", state="published")
    columns = ("key", "value", "note", "link")
    assert list(made.cells.values_list(*columns)) == list(present.cells.values_list(*columns))
    assert (made.digest, made.read) == (present.digest, DAY)
    with pytest.raises(InputError, match="not text in UTF-8"):
        actions.read_draft(cast.curator, given(zipped(), source="gpu-parts"))


def test_cells_by_hand_come_along_where_the_page_does_not_answer_them(cast: Cast) -> None:
    publish(cast.curator, actions.read_draft(cast.curator, given()))
    first = Release.objects.get(version="9.9.0")
    entered = first
    for key in ("firmware/mi210", "driver/mi300x"):
        values = actions.CellValues(key, "BKC 1", "its release notes say so", "https://docs.example.com/notes")
        entered = actions.enter_cell(cast.curator, entered.pk, values)
    publish(cast.curator, entered)
    again = actions.read_draft(cast.curator, given(PAGE + b"\n", read=DAY + timedelta(days=5)))
    kept = again.cells.get(key="firmware/mi210")
    assert (kept.value, kept.reason, kept.entered_by) == ("BKC 1", "its release notes say so", "curator")
    assert again.cells.get(key="driver/mi300x").value == "39.20.1, 39.10.0", "the page says it"
    assert again.cells.count() == first.cells.count() + 1


def test_a_cell_that_is_too_long_is_refused(cast: Cast) -> None:
    page = PAGE.replace(b"39.20.1", b"39.20.1" * 100)
    with pytest.raises(InputError):
        actions.read_draft(cast.curator, given(page))
    assert not Release.objects.filter(state="draft").exists()


def test_another_persons_draft_of_the_same_version_is_another(cast: Cast) -> None:
    draft("9.9.0", {"driver/mi300x": "1"}, by="administrator")
    actions.read_draft(cast.curator, given())
    assert Release.objects.filter(state="draft", version="9.9.0").count() == 2


def test_a_page_in_another_order_says_the_same(cast: Cast) -> None:
    """Rules name the first of several cells: an order of its own would make assessments stale for nothing."""
    publish(cast.curator, actions.read_draft(cast.curator, given()))
    rows = re.findall(rb"<tr\b.*?</tr>", PAGE, re.DOTALL)
    swapped = next((a, b) for a, b in pairwise(rows) if b"RHEL" in a and b"Rocky" in b)
    page = PAGE.replace(swapped[0], b"@").replace(swapped[1], swapped[0]).replace(b"@", swapped[1])
    assert page != PAGE
    again = actions.read_draft(cast.curator, given(page))
    assert again.digest == Release.objects.get(version="9.9.0", state="published").digest


def test_cells_of_other_pages_come_along_with_the_day_they_were_read(cast: Cast) -> None:
    page = OPERATOR.encode()
    present = actions.read_draft(cast.curator, given(page, source="gpu-operator-platforms", version="9.9.0"))
    Cell.objects.create(release=present, key="narrowed/mi300x/kubernetes", value="1.30-1.31", position=900)
    present.digest = cells_digest(present.cells.all())
    present.save()
    publish(cast.curator, present)
    later = DAY + timedelta(days=3)
    again = actions.read_draft(cast.curator, given(page, source="gpu-operator-platforms", version="9.9.0", read=later))
    kept = again.cells.get(key="narrowed/mi300x/kubernetes")
    assert (kept.value, kept.entered, kept.entered_by) == ("1.30-1.31", DAY, "curator")
    publish(cast.curator, again)
    release = knowledge().release("gpu-operator-platforms", "9.9.0")
    assert release is not None and release.read == later
    ledger = Ledger(knowledge())
    evidence = [
        ledger.evidence(release.source, cell, "9.9.0").read for key, cell in release.cells.items() if key == kept.key
    ]
    assert evidence == [DAY], "what it rests on is no newer than when it was read"


@pytest.mark.parametrize(
    ("source", "page", "version"),
    [
        (ROCM, PAGE, ""),
        ("vllm-features", FEATURES.encode(), ""),
        ("vllm-quantization", QUANTIZATION.encode(), ""),
        ("gpu-operator-platforms", OPERATOR.encode(), "9.9.0"),
    ],
)
def test_what_an_importer_reads_off_is_known(source: str, page: bytes, version: str, cast: Cast) -> None:
    made = actions.read_draft(cast.curator, given(page, source=source, version=version))
    words = {key.split("/")[0] for key in made.cells.values_list("key", flat=True)}
    assert words == READ_OFF[source]


def test_the_form_asks_for_the_source_unless_the_address_names_one(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    asked = client.get("/matrices/read/").content.decode()
    assert '<option value="" selected>Choose the source</option>' in asked
    assert "selected" not in asked.replace('<option value="" selected>', "")
    chosen = client.get(f"/matrices/read/?source={ROCM}").content.decode()
    assert f'<option value="{ROCM}" selected>' in chosen
    answer = client.post("/matrices/read/", {"source": "", "read": "2026-11-20", "version": "", "text": "x"})
    assert answer.status_code == 422 and "This field is required." in answer.content.decode()
