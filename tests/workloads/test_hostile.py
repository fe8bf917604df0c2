"""What nobody sends by accident: clear answers, in time, and nothing half saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from portability.accounts.models import Person
from portability.register.models import Row
from portability.workloads.models import ManifestFile, Revision, Workload
from portability.workloads.uploads import safe_name
from tests.conftest import Cast
from tests.workloads.texts import SERVING, fields

ClientOf = Callable[[Person | None], Client]
NEW, PREVIEW = "/workloads/new/", "/workloads/preview/"

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
UNREADABLE = {
    "10,000 documents": "kind: ConfigMap\n---\n" * 10_000,
    "nested 1,000 deep": "a: " + "[" * 1_000 + "]" * 1_000 + "\n",
    "nested 1,000 deep in blocks": "".join(" " * n + "a:\n" for n in range(1_000)),
    "an anchor bomb": BOMB,
    "a template": "kind: Deployment\nspec:\n  replicas: {{ .Values.replicas }}\n",
    "unclosed": 'kind: "Deployment\n',
    "a tab": "kind:\n\tDeployment\n",
    "an alias to itself": "a: &a [*a]\n",
}


@pytest.fixture
def member(cast: Cast, shipped: None, client_of: ClientOf) -> Client:
    return client_of(cast.member)


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_is_said_with_its_line_and_saved_as_not_assessed(
    what: str, cast: Cast, member: Client
) -> None:
    sent = fields(cast.search.pk, UNREADABLE[what])
    began = monotonic()
    page = member.post(PREVIEW, sent, headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "serving.yaml:" in page.content.decode().partition("What is missing")[2]
    assert member.post(NEW, sent).status_code == 302
    assert monotonic() - began < 20
    assert set(Row.objects.values_list("verdict", flat=True)) == {"not-assessed"}


def test_other_files_are_still_judged(cast: Cast, member: Client) -> None:
    sent = fields(cast.search.pk, file_name=["a.yaml", "b.yaml"], file_text=[BOMB, SERVING])
    page = member.post(PREVIEW, sent, headers={"HX-Request": "true"}).content.decode()
    assert "a.yaml:" in page.partition("What is missing")[2]
    assert 'data-file="b.yaml" data-line="13"' in page


def test_20_megabytes_are_refused_with_the_limit_and_the_size(cast: Cast, member: Client) -> None:
    answer = member.post(NEW, fields(cast.search.pk, "a: b\n" * 4_000_000))
    assert answer.status_code == 413
    assert "4.0\xa0MB" in answer.content.decode()
    assert "19.1\xa0MB" in answer.content.decode()
    assert not Workload.objects.exists()


def test_a_little_too_much_is_refused_and_the_text_comes_back(cast: Cast, member: Client) -> None:
    upload = SimpleUploadedFile("big.yaml", b"a: b\n" * 870_000)
    answer = member.post(NEW, fields(cast.search.pk, uploads=[upload]))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The manifests are 4.1\xa0MB together; at most 4.0\xa0MB are read" in page
    assert "vllm/vllm-openai:v0.11.0" in page
    assert not Workload.objects.exists()


def test_too_many_files(cast: Cast, member: Client) -> None:
    sent = fields(cast.search.pk, file_name=[f"{n}.yaml" for n in range(101)], file_text=["a: b\n"] * 101)
    answer = member.post(NEW, sent)
    assert answer.status_code == 422
    assert "101 files were sent; at most 100 are read" in answer.content.decode()
    uploads = [SimpleUploadedFile(f"{n}.yaml", b"a: b") for n in range(101)]
    assert member.post(NEW, fields(cast.search.pk, uploads=uploads)).status_code in (413, 422)
    assert not Workload.objects.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        (b"kind: Deployment\nmetadata:\n  name: caf\xe9\n", "line 3: the file is not UTF-8 text"),
        (b"kind: a\x00b\n", "binary"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, says: str, cast: Cast, member: Client) -> None:
    answer = member.post(NEW, fields(cast.search.pk, uploads=[SimpleUploadedFile("x.yaml", content)]))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "x.yaml, line" in page
    assert says in page
    assert not Workload.objects.exists()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
def test_encodings_that_say_what_they_are(encoding: str, cast: Cast, member: Client) -> None:
    upload = SimpleUploadedFile("serving.yaml", SERVING.replace("\n", "\r\n").encode(encoding))
    assert member.post(NEW, fields(cast.search.pk, uploads=[upload])).status_code == 302
    assert ManifestFile.objects.get().text == SERVING


@pytest.mark.database
def test_characters_that_a_database_cannot_hold(cast: Cast, member: Client) -> None:
    text = SERVING.replace("--enable-lora", '"--served-model-name=a\\0b\\ud800c"')
    assert member.post(NEW, fields(cast.search.pk, text)).status_code == 302
    assert Revision.objects.count() == 1
    assert member.post(NEW, fields(cast.search.pk, SERVING, name="a\x00b")).status_code == 422
    assert member.post(NEW, fields(cast.search.pk, SERVING, name="c", owner="a\x00b")).status_code == 422


@pytest.mark.parametrize("name", ['=HYPERLINK("http://x","y")', "<script>alert(1)</script>", "'; DROP TABLE x; --"])
def test_names_stay_names(name: str, cast: Cast, member: Client, client_of: ClientOf) -> None:
    assert member.post(NEW, fields(cast.search.pk, name=name)).status_code == 302
    workload = Workload.objects.get(name=name)
    for path in (f"/workloads/{workload.pk}/", f"/workloads/{workload.pk}/edit/", f"/workloads/{workload.pk}/history/"):
        answer = member.get(path)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.content.decode()


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\manifests\\a.yaml", "a.yaml"),
        ('"><img src=x>.yaml', "___img src_x_.yaml"),
        ("a\r\nb.yaml", "a__b.yaml"),
        ("  ", "manifest.yaml"),
        ("..", "manifest.yaml"),
        ("x" * 300 + ".yaml", "x" * 115 + ".yaml"),
        ("größe 1.yaml", "größe 1.yaml"),
    ],
)
def test_file_names_are_the_last_part_without_markup(sent: str, kept: str) -> None:
    assert safe_name(sent) == kept


def test_numbers_too_large_for_a_column(cast: Cast, member: Client) -> None:
    text = SERVING.replace("replicas: 2", "replicas: 99999999999999999999")
    assert member.post(NEW, fields(cast.search.pk, text)).status_code == 302
    assert member.get(f"/workloads/{Workload.objects.get().pk}/").status_code == 200


def test_a_form_with_parts_missing(cast: Cast, member: Client) -> None:
    for sent in ({}, {"file_text": "a: b"}, {"file_name": "x"}, {"harmless": "x", "required": "y", "token": "z"}):
        assert member.post(NEW, sent).status_code == 422
        assert member.post(PREVIEW, sent).status_code == 200
    for workload in ("x", "-1", "9" * 30):
        assert member.post(PREVIEW, {"workload": workload}).status_code in (200, 404)
    assert not Workload.objects.exists()


def test_a_tag_of_another_language_makes_nothing(cast: Cast, member: Client) -> None:
    text = "!!python/object/apply:os.mkdir ['made-by-a-manifest']\n"
    assert member.post(PREVIEW, fields(cast.search.pk, text)).status_code == 200
    assert not Path("made-by-a-manifest").exists()


def test_nothing_half_saved_where_judging_fails(cast: Cast, member: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("judging failed")

    monkeypatch.setattr("portability.workloads.actions.save.assess_revision", fail)
    with pytest.raises(RuntimeError):
        member.post(NEW, fields(cast.search.pk))
    assert not Workload.objects.exists()
    assert not Revision.objects.exists()


def test_hundreds_of_findings_are_answered_in_time_and_counted(cast: Cast, member: Client) -> None:
    many = "---\n".join(SERVING.replace("name: chat", f"name: chat-{n}") for n in range(400))
    began = monotonic()
    answer = member.post(PREVIEW, fields(cast.search.pk, many), headers={"HX-Request": "true"})
    took = monotonic() - began
    assert answer.status_code == 200
    assert len(answer.content) < 1_000_000
    assert "and 600 more of this kind" in answer.content.decode()
    assert took < 20, took
