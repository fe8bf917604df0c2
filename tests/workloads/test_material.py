"""Application material in registering and revising: pasted or uploaded, read and never run, without its secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Assessment, Row
from portability.workloads.models import ManifestFile, Revision, Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING, fields

ClientOf = Callable[[Person | None], Client]
NEW, PREVIEW = "/workloads/new/", "/workloads/preview/"
ASKS = "import torch\n\nif torch.version.cuda:\n    fast()\n"
READY = "import torch\n\nassert torch.cuda.is_available()\n"
REQUIREMENTS = "torch==2.11.0\ntensorrt==10.9\n"
TOKEN = "correct-horse-battery-7391"  # noqa: S105 - of a file that a test sends


def sent(team: int, *files: tuple[str, str], **changes: Any) -> dict[str, Any]:
    """The form with application material pasted into it."""
    names, texts = [name for name, _ in files], [text for _, text in files]
    return fields(team, source_name=names, source_text=texts, **changes)


def stored() -> dict[str, str]:
    """The application material of the newest revision."""
    return {f.name: f.text for f in Revision.objects.order_by("-pk")[0].material.all()}


def rules() -> list[tuple[str, str, int]]:
    """Rule, file and line of what was found in the application material for the default target."""
    assessment = Row.objects.get(target__name="mi300x-single").assessment
    return [(f["rule"], f["file"], f["line"]) for f in assessment.findings if f["rule"].startswith("APP")]


@pytest.mark.database
def test_pasted(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    form = sent(cast.search.pk, ("serve.py", ASKS), ("requirements.txt", REQUIREMENTS), ("", ""))
    assert client_of(cast.member).post(NEW, form).status_code == 302
    assert stored() == {"serve.py": ASKS, "requirements.txt": REQUIREMENTS}
    assert rules() == [("APP002", "requirements.txt", 2), ("APP001", "serve.py", 3)]
    assert Row.objects.get(target__name="mi300x-single").verdict == "pinned"
    assert Revision.objects.get().declared == {}, "texts are files, not columns of the revision"
    entry = Entry.objects.get(action="workload.registered")
    assert entry.details["files"] == ["serving.yaml", "serve.py", "requirements.txt"]


def test_code_that_asks_for_a_capability_passes(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client_of(cast.member).post(NEW, sent(cast.search.pk, ("ready.py", READY)))
    assert stored() == {"ready.py": READY}
    assert rules() == []


def test_what_has_no_name_gets_one_by_what_it_is(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    texts = ("", "torch\ntensorrt==10.9\n"), ("", ASKS), ("", "FROM nvidia/cuda:12.4.1-devel\n"), (" ", READY)
    client_of(cast.member).post(NEW, sent(cast.search.pk, *texts))
    assert list(stored()) == ["requirements.txt", "code.py", "Dockerfile", "code-2.py"]


def test_uploaded(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    uploads = [
        SimpleUploadedFile("../../etc/<b>serve.py", b"\xef\xbb\xbf" + ASKS.replace("\n", "\r\n").encode()),
        SimpleUploadedFile("old.py", "# -*- coding: latin-1 -*-\nname = 'Jürgen'\n".encode("latin-1")),
        SimpleUploadedFile("requirements.txt", REQUIREMENTS.encode()),
    ]
    form = sent(cast.search.pk, ("requirements.txt", "torch\n"), source_uploads=uploads)
    assert client_of(cast.member).post(NEW, form).status_code == 302
    assert stored() == {
        "_b_serve.py": ASKS,
        "old.py": "# -*- coding: latin-1 -*-\nname = 'Jürgen'\n",
        "requirements.txt": REQUIREMENTS,
    }, "a file replaces the text of its name"


def test_among_manifests_it_goes_where_it_belongs(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    notebook = {"cells": [{"cell_type": "code", "outputs": ["kept nowhere"], "source": "x = 1"}]}
    uploads = [
        SimpleUploadedFile("requirements.txt", REQUIREMENTS.encode()),
        SimpleUploadedFile("serve.py", ASKS.encode()),
        SimpleUploadedFile("train.ipynb", json.dumps(notebook).encode()),
    ]
    conda = "dependencies:\n  - pytorch-cuda=12.1\n"
    form = fields(
        cast.search.pk,
        file_name=["serving.yaml", "environment.yml"],
        file_text=[SERVING, conda],
        source_name=["more.yaml"],
        source_text=["apiVersion: v1\nkind: Service\n"],
        uploads=uploads,
    )
    assert client_of(cast.member).post(NEW, form).status_code == 302
    assert [f.name for f in ManifestFile.objects.all()] == ["serving.yaml", "more.yaml"]
    assert list(stored()) == ["environment.yml", "requirements.txt", "serve.py", "train.ipynb.py"]
    assert stored()["train.ipynb.py"] == "# cell 1\nx = 1\n"
    assert Row.objects.get(target__name="mi300x-single").verdict == "pinned"


def test_a_notebook_keeps_its_code_and_nothing_of_its_outputs(
    cast: Cast, shipped: None, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Notes"]},
        {
            "cell_type": "code",
            "outputs": [{"text": ["a patient's name"]}],
            "source": ["!pip install tensorrt\n", "x = 1"],
        },
        {"cell_type": "code", "outputs": [], "source": "%%bash\nnvidia-smi"},
    ]
    upload = SimpleUploadedFile("train.ipynb", json.dumps({"cells": cells, "nbformat": 4}).encode())
    assert client_of(cast.member).post(NEW, sent(cast.search.pk, source_uploads=[upload])).status_code == 302
    assert stored() == {"train.ipynb.py": "# cell 1\n!pip install tensorrt\nx = 1\n\n# cell 2\n!nvidia-smi\n"}
    assert rules() == [("APP002", "train.ipynb.py", 2), ("APP003", "train.ipynb.py", 6)]
    assert stored_anywhere("patient") == []


SECRETS = {
    "serve.py": f'import os\nos.environ["HF_TOKEN"] = "{TOKEN}"\nDB = "postgres://u:{TOKEN}@db/x"\n',
    "requirements.txt": f"--index-url https://user:{TOKEN}@pypi.example.com/simple\ntorch\n",
    "Dockerfile": f"FROM python:3.12\nENV API_KEY {TOKEN}\nARG PASSWORD={TOKEN}\n",
    "start.sh": f"# password: {TOKEN}\nexport API_KEY={TOKEN}\nserve --api-key {TOKEN}\n",
}


def test_secrets_are_never_stored_or_shown(
    cast: Cast, shipped: None, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    form = sent(cast.search.pk, *SECRETS.items())
    client = client_of(cast.member)
    for address in (PREVIEW, NEW):
        page = client.post(address, form, follow=True).content.decode()
        assert TOKEN not in page
        assert "serve.py:2" in page and "requirements.txt:1" in page
    assert stored_anywhere(TOKEN) == []
    assert {name: text.count("\n") for name, text in stored().items()} == {
        name: text.count("\n") for name, text in SECRETS.items()
    }, "lines stay where they were"
    found = Revision.objects.get().redactions
    assert {(r["file"], r["line"]) for r in found} >= {
        ("serve.py", 2),
        ("serve.py", 3),
        ("Dockerfile", 2),
        ("start.sh", 1),
    }


def test_a_value_marked_as_harmless_is_kept(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    text = 'password = "open-sesame"\n'
    client_of(cast.member).post(NEW, sent(cast.search.pk, ("a.py", text), harmless=["a.py#text:1"]))
    assert stored() == {"a.py": text}
    assert Revision.objects.get().harmless == [["a.py", "text:1"]]


def test_nothing_is_lost_when_the_form_comes_back(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    for changes in ({"name": ""}, {"replicas": "several"}):
        answer = client.post(NEW, sent(cast.search.pk, ("serve.py", ASKS), **changes))
        page = answer.content.decode()
        assert answer.status_code == 422
        assert 'name="source_name" value="serve.py"' in page and "if torch.version.cuda" in page
        assert "APP001" in page, "what it holds is judged all the same"
    assert not Workload.objects.exists()


HOSTILE: dict[str, tuple[list[SimpleUploadedFile], str]] = {
    "binary": ([SimpleUploadedFile("a.py", b"\x7fELF\0\0\0")], "a.py, line 1: the file is binary"),
    "another encoding": ([SimpleUploadedFile("a.sh", "# Jürgen\n".encode("latin-1"))], "the file is not UTF-8 text"),
    "a lie about its encoding": ([SimpleUploadedFile("a.py", b"# coding: rot13\nx = '\xff'\n")], "not UTF-8 text"),
    "no notebook": ([SimpleUploadedFile("a.ipynb", b'{"cells": 1}')], "a.ipynb, line 1: it is no notebook"),
    "a deep notebook": ([SimpleUploadedFile("a.ipynb", b"[" * 100_000)], "it is no notebook"),
    "too much": ([SimpleUploadedFile("a.py", b"x = 1\n" * 200_000)], "at most 1.0\xa0MB are read"),
    "too much by far": ([SimpleUploadedFile("a.py", b"x = 1\n" * 800_000)], "at most 1.0\xa0MB are read"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_cannot_be_read_is_refused(case: str, cast: Cast, shipped: None, client_of: ClientOf) -> None:
    uploads, expected = HOSTILE[case]
    for upload in uploads:
        upload.seek(0)
    answer = client_of(cast.member).post(NEW, sent(cast.search.pk, source_uploads=uploads))
    assert answer.status_code == 422
    assert expected in answer.content.decode()
    assert not Workload.objects.exists()


def test_too_many_files(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    many = [(f"m{n}.py", "x = 1") for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FILES + 1)]
    answer = client_of(cast.member).post(NEW, sent(cast.search.pk, *many))
    assert answer.status_code == 422
    assert "101 files were sent; at most 100 are read" in answer.content.decode()


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "x = " + "-" * 200_000 + "1", "print 'x'\n", "a.b" + ".c()" * 50_000],
    ids=["brackets", "signs", "python 2", "calls"],
)
def test_code_without_a_tree_is_asked_about(text: str, cast: Cast, shipped: None, client_of: ClientOf) -> None:
    assert client_of(cast.member).post(NEW, sent(cast.search.pk, ("m.py", text))).status_code == 302
    found = [f for f in Row.objects.get(target__name="mi300x-single").assessment.findings if f["rule"] == "APP001"]
    assert [(f["effect"], f["file"]) for f in found] == [("confirm", "m.py")]
    assert "could not be read whole" in found[0]["reason"]


def test_markup_stays_text(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    text = "# </textarea><script>alert(1)</script>\nimport pynvml\n"
    page = client_of(cast.member).post(PREVIEW, sent(cast.search.pk, ("<script>.py", text))).content.decode()
    assert "<script>alert" not in page and "<script>.py" not in page


def test_revised_and_removed(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    client.post(NEW, sent(cast.search.pk, ("serve.py", ASKS), ("requirements.txt", REQUIREMENTS)))
    workload = Workload.objects.get()
    address = f"/workloads/{workload.pk}/edit/"
    page = client.get(address).content.decode()
    assert 'name="source_name" value="serve.py"' in page and "tensorrt==10.9" in page
    form = sent(cast.search.pk, ("serve.py", READY), ("requirements.txt", ""), version=workload.version)
    assert client.post(address, form).status_code == 302
    assert stored() == {"serve.py": READY}
    assert rules() == []
    assert Assessment.objects.filter(current=True, revision__number=2)[0].cause == "material"
    assert "application material changed" in client.get(f"/workloads/{workload.pk}/").content.decode()
    workload.refresh_from_db()
    client.post(address, {**form, "version": workload.version})
    assert Revision.objects.count() == 2, "the same again is no new revision"


def test_two_people_at_once_see_how_the_code_differs(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    client.post(NEW, sent(cast.search.pk, ("serve.py", READY)))
    workload = Workload.objects.get()
    address, version = f"/workloads/{workload.pk}/edit/", workload.version
    client.post(address, sent(cast.search.pk, ("serve.py", READY + "\n# theirs\n"), version=version))
    answer = client_of(cast.teammate).post(address, sent(cast.search.pk, ("serve.py", ASKS), version=version))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "<ins>+if torch.version.cuda:</ins>" in page and "<del>-# theirs</del>" in page


def test_a_value_is_erased_from_code_too(
    cast: Cast, shipped: None, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    client = client_of(cast.member)
    client.post(NEW, sent(cast.search.pk, ("serve.py", f"login('{TOKEN}')\n")))
    before = Revision.objects.get().digest
    assert stored_anywhere(TOKEN)
    answer = client_of(cast.administrator).post("/workloads/erase/", {"value": TOKEN})
    assert "1 file among them" in answer.content.decode()
    assert stored_anywhere(TOKEN) == []
    assert stored() == {"serve.py": "login('REDACTED')\n"}
    assert Revision.objects.get().digest != before
    workload = Workload.objects.get()
    again = sent(cast.search.pk, ("serve.py", "login('REDACTED')\n"), version=workload.version)
    client.post(f"/workloads/{workload.pk}/edit/", again)
    assert Revision.objects.count() == 1, "its digest is that of what is left"
