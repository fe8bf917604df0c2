"""What would be saved, before anything is: `/workloads/preview/`."""

from __future__ import annotations

from collections.abc import Callable

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from portability.accounts.models import Person
from portability.register.models import Assessment
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.workloads.texts import SECRET, SECRET_VALUE, SERVING, fields

ClientOf = Callable[[Person | None], Client]
URL = "/workloads/preview/"
HTMX = {"HX-Request": "true"}


def test_works_and_saves_nothing(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    page = client_of(cast.member).post(URL, fields(cast.search.pk), headers=HTMX).content.decode()
    assert "<html" not in page
    assert "Needs change" in page
    assert 'data-file="serving.yaml" data-line="13"' in page, "a finding leads to its line"
    assert "vllm/vllm-openai:v0.11.0" in page
    assert '<data hidden data-detected="engine" value="vllm">' in page
    assert not Workload.objects.exists()
    assert not Assessment.objects.exists()


def test_without_a_script_the_whole_form_comes_back(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, owner="Ines", dtype="float16")
    page = client_of(cast.member).post(URL, sent).content.decode()
    assert "<html" in page
    assert "What would be saved" in page
    assert 'value="Ines"' in page
    assert 'name="dtype" value="float16"' in page
    assert 'name="engine" value="vllm"' in page, "prefilled from the manifests"
    assert 'name="detected_engine" value="vllm"' in page
    assert SERVING in page.replace("&quot;", '"')


def test_a_look_needs_no_name(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    page = client_of(cast.member).post(URL, fields(cast.search.pk, name="")).content.decode()
    assert "IMG001" in page
    assert "required" not in page.partition("<fieldset>")[0]
    assert "Please correct" not in page


def test_what_a_person_wrote_is_not_overwritten(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    sent = fields(cast.search.pk, engine="sglang", detected_engine="", replicas="9", detected_replicas="9")
    page = client_of(cast.member).post(URL, sent).content.decode()
    assert 'name="engine" value="sglang"' in page
    assert 'name="replicas" value="2"' in page, "what was only detected before follows the manifests"
    assert "engine: declared sglang, the manifests show vllm (serving.yaml:13)" in page


def test_each_active_target_and_the_findings_of_the_chosen_one(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    page = client.post(URL, fields(cast.search.pk, target="h100"), headers=HTMX).content.decode()
    assert 'id="answer-h100"' in page
    assert 'id="answer-mi300x-single"' in page
    assert "For h100:" in page
    assert "No source describes this vendor" in page
    again = client.post(URL, fields(cast.search.pk, shown_target="h100"), headers=HTMX).content.decode()
    assert "For h100:" in again, "the choice stays through the next preview"


def test_secrets_are_not_sent_back(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    for headers in (None, HTMX):
        page = client.post(URL, fields(cast.search.pk, text=SECRET), headers=headers).content.decode()
        assert SECRET_VALUE not in page
        assert "serving.yaml:6, a value of a Secret" in page
    harmless = fields(cast.search.pk, text=SECRET, harmless=["serving.yaml#0:/stringData/password"])
    assert SECRET_VALUE in client.post(URL, harmless).content.decode()


def test_what_is_missing(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    page = (
        client_of(cast.member)
        .post(URL, fields(cast.search.pk, text="kind: ConfigMap\n"), headers=HTMX)
        .content.decode()
    )
    assert "What is missing" in page
    assert "Not assessed" in page


def test_uploaded_files_become_texts(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    upload = SimpleUploadedFile("serving.yaml", SERVING.replace("v0.11.0", "v0.12.0").encode())
    sent = fields(cast.search.pk, uploads=[upload])
    page = client_of(cast.member).post(URL, sent).content.decode()
    assert page.count('<textarea id="file-1"') == 1
    assert "v0.12.0" in page
    assert "v0.11.0" not in page, "a file replaces the text of the same name"


def test_a_required_feature(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    page = client_of(cast.member).post(URL, fields(cast.search.pk, required=["lora"]), headers=HTMX).content.decode()
    assert 'name="required" value="lora" id="required-1" checked' in page


def test_of_a_workload_of_others(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    sent = {**fields(cast.search.pk), "workload": saved.pk}
    assert client_of(cast.teammate).post(URL, sent, headers=HTMX).status_code == 200
    assert client_of(cast.outsider).post(URL, sent, headers=HTMX).status_code == 403
    assert client_of(cast.member).post(URL, {**sent, "workload": 999_999}, headers=HTMX).status_code == 404


def test_who_may(cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.viewer).post(URL).status_code == 403
    assert client_of(cast.architect).post(URL).status_code == 403
    assert client_of(cast.member).get(URL).status_code == 405


def test_it_says_on_which_reading_the_answer_rests(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    page = client_of(cast.member).post(URL, fields(cast.search.pk), headers=HTMX).content.decode()
    assert '<p class="asof">As of ROCm compatibility matrix 7.14.0, read 7 August 2026</p>' in page
