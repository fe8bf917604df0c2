"""Registering a workload: `/workloads/new/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Assessment, Row
from portability.targets.queries import active_targets
from portability.workloads.models import ManifestFile, Revision, Workload
from tests.conftest import Cast
from tests.workloads.texts import SECRET, SECRET_VALUE, SERVING, fields

ClientOf = Callable[[Person | None], Client]
URL = "/workloads/new/"


@pytest.mark.database
def test_works(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    answer = client_of(cast.member).post(URL, fields(cast.search.pk, vendor="nvidia"))
    workload = Workload.objects.get()
    assert answer.status_code == 302
    assert answer.headers["Location"] == reverse("workloads:workload", args=[workload.pk])
    assert (workload.name, workload.team, workload.owner, workload.criticality) == ("chat", cast.search, "Lena", "high")
    assert (workload.engine, workload.model) == ("vllm", "Qwen/Qwen3-8B")
    assert (workload.gpus, workload.replicas, workload.vendor_today) == (4, 2, "nvidia")
    revision = Revision.objects.get()
    assert (revision.number, revision.created_by, revision.declared) == (1, cast.member, {"vendor": "nvidia"})
    assert [(f.name, f.text) for f in revision.files.all()] == [("serving.yaml", SERVING)]
    assert Assessment.objects.filter(current=True).count() == len(active_targets()) == Row.objects.count()
    row = Row.objects.get(target__name="mi300x-single")
    assert row.verdict == "needs-change"
    assert {"IMG001", "RES001"} <= set(row.rules.split("|"))
    assert Entry.objects.filter(action="workload.registered", who=cast.member, subject="chat").count() == 1


def test_the_empty_form(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    answer = client_of(cast.member).get(URL)
    assert answer.status_code == 200
    assert b'name="file_text"' in answer.content
    assert b">Search</option>" in answer.content
    assert b">Media</option>" not in answer.content


def test_not_for_a_team_of_others(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    answer = client_of(cast.outsider).post(URL, fields(cast.search.pk))
    assert answer.status_code == 422
    assert b"Select a valid choice" in answer.content
    assert not Workload.objects.exists()


def test_a_viewer_may_not(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    assert client.get(URL).status_code == 403
    assert client.post(URL, fields(cast.search.pk)).status_code == 403
    assert not Workload.objects.exists()


def test_wrong_method(cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.member).delete(URL).status_code == 405


def test_the_same_form_twice_makes_one_workload(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, token=str(uuid4()))
    first, second = (client_of(cast.member).post(URL, sent) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert Workload.objects.count() == Revision.objects.count() == 1
    assert Entry.objects.filter(action="workload.registered").count() == 1


TOKEN = "hf_" + "Zq9" * 11


def test_credentials_in_other_fields_are_taken_out_too(
    cast: Cast, shipped: None, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    told = dict.fromkeys(("name", "owner", "model", "other_features"), f"x {TOKEN}")
    sent = fields(cast.search.pk, **told, file_name=[f"{TOKEN}.yaml"])
    client = client_of(cast.member)
    for address in ("/workloads/preview/", URL):
        assert TOKEN not in client.post(address, sent, follow=True).content.decode()
    workload = Workload.objects.get()
    assert (workload.name, workload.owner) == ("x REDACTED", "x REDACTED")
    client.post(f"/workloads/{workload.pk}/rename/", {"name": f"y {TOKEN}"})
    client.post(f"/workloads/{workload.pk}/retire/", {"reason": f"used {TOKEN}"})
    workload.refresh_from_db()
    assert (workload.name, workload.retired_reason) == ("y REDACTED", "used REDACTED")
    assert stored_anywhere(TOKEN) == []


@pytest.mark.database
@pytest.mark.parametrize("other", ["name", "team", "text"])
def test_a_used_form_with_something_else_in_it_loses_nothing(
    cast: Cast, shipped: None, client_of: ClientOf, other: str
) -> None:
    cast.member.teams.add(cast.media)
    token = str(uuid4())
    client = client_of(cast.member)
    client.post(URL, fields(cast.search.pk, token=token))
    changes: dict[str, dict[str, Any]] = {"name": {"name": "second"}, "team": {"team": cast.media.pk}, "text": {}}
    text = SERVING + "# another\n" if other == "text" else SERVING
    sent = {**fields(cast.search.pk, text, token=token), **changes[other]}
    answer = client.post(URL, sent)
    page = answer.content.decode()
    assert answer.status_code == 422 and "This form registered chat already" in page
    assert "vllm/vllm-openai:v0.11.0" in page and token not in page
    fresh = page.split('name="token" value="')[1].split('"')[0]
    again = client.post(URL, {**sent, "token": fresh, **({"name": "third"} if other == "text" else {})})
    assert again.status_code == 302 and Workload.objects.count() == 2


def test_a_name_is_once_in_a_team(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client_of(cast.member).post(URL, fields(cast.search.pk))
    answer = client_of(cast.teammate).post(URL, fields(cast.search.pk))
    assert answer.status_code == 422
    assert "Search already has a workload named chat" in answer.content.decode()
    assert "vllm/vllm-openai:v0.11.0" in answer.content.decode(), "what was typed is still there"
    assert Workload.objects.count() == 1
    assert client_of(cast.outsider).post(URL, fields(cast.media.pk)).status_code == 302, "another team may use it"


def test_without_a_name_nothing_is_saved(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    answer = client_of(cast.member).post(URL, fields(cast.search.pk, name=" "))
    assert answer.status_code == 422
    assert not Workload.objects.exists()
    assert not Revision.objects.exists()


def test_a_fact_that_cannot_be_used_is_named(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    answer = client_of(cast.member).post(URL, fields(cast.search.pk, replicas="several"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Replicas: must be a whole number" in page
    assert 'value="several"' in page
    assert "IMG001" in page, "what the manifests show is still judged"
    assert not Workload.objects.exists()


def test_prefilled_fields_declare_nothing(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, engine="vllm", detected_engine="vllm", model_kind="pooling", detected_model_kind="")
    client_of(cast.member).post(URL, sent)
    assert Revision.objects.get().declared == {"model_kind": "pooling"}


def test_features_that_are_required(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, other_features="async-output, beam_search", required=["lora", "async-output", "gone"])
    client_of(cast.member).post(URL, sent)
    features = Revision.objects.get().declared["features"]
    assert features == [{"name": "async-output", "required": True}, "beam-search", {"name": "lora", "required": True}]


def test_uploaded_files(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    uploads = [
        SimpleUploadedFile("C:\\work\\<b>a</b>.yaml", b"\xef\xbb\xbf" + SERVING.replace("\n", "\r\n").encode()),
        SimpleUploadedFile("b.yaml", b"kind: Service\n"),
        SimpleUploadedFile("../../b.yaml", b"kind: ConfigMap\n"),
    ]
    client_of(cast.member).post(URL, fields(cast.search.pk, file_name=[], file_text=[], uploads=uploads))
    stored = {f.name: f.text for f in ManifestFile.objects.all()}
    assert list(stored) == ["b_.yaml", "b.yaml", "b-2.yaml"]
    assert stored["b_.yaml"] == SERVING, "byte order mark and line ends do not make another content"


def test_secrets_are_never_stored(
    cast: Cast, shipped: None, client_of: ClientOf, stored_anywhere: Callable[[str], list[str]]
) -> None:
    sent = fields(cast.search.pk, file_name=["a.yaml", "b.yaml"], file_text=[SERVING, SECRET])
    assert client_of(cast.member).post(URL, sent).status_code == 302
    assert stored_anywhere(SECRET_VALUE) == []
    text = ManifestFile.objects.get(name="b.yaml").text
    assert text.count("\n") == SECRET.count("\n"), "lines stay where they were"
    redaction = Revision.objects.get().redactions[0]
    assert (redaction["file"], redaction["line"]) == ("b.yaml", 6)
    assert "b.yaml:6" in client_of(cast.viewer).get(f"/workloads/{Workload.objects.get().pk}/").content.decode()


def test_a_value_marked_as_harmless_is_kept(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, text=SECRET, harmless=["serving.yaml#0:/stringData/password"])
    client_of(cast.member).post(URL, sent)
    assert SECRET_VALUE in ManifestFile.objects.get().text
    assert Revision.objects.get().harmless == [["serving.yaml", "0:/stringData/password"]]


def test_what_cannot_be_read_is_saved_as_not_assessed(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    broken = "kind: Deployment\nspec: [unclosed\n"
    assert client_of(cast.member).post(URL, fields(cast.search.pk, text=broken)).status_code == 302
    row = Row.objects.get(target__name="mi300x-single")
    assert row.verdict == "not-assessed"
    page = client_of(cast.member).get(f"/workloads/{row.workload_id}/").content.decode()
    assert "What is missing" in page
    assert "serving.yaml:" in page


def test_declared_facts_without_manifests(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, text="", engine="vllm", model_kind="encoder-decoder", gpus_per_replica="1")
    assert client_of(cast.member).post(URL, sent).status_code == 302
    assert not ManifestFile.objects.exists()
    assert Row.objects.get(target__name="mi300x-single").verdict == "pinned"
