"""Revising a workload: `/workloads/<pk>/edit/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Assessment, Row
from portability.workloads.models import Revision, Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING, fields

ClientOf = Callable[[Person | None], Client]
NEWER = SERVING.replace("v0.11.0", "v0.12.0")


def url(workload: Workload) -> str:
    return f"/workloads/{workload.pk}/edit/"


def sent(workload: Workload, text: str = NEWER, **changes: Any) -> dict[str, Any]:
    return fields(workload.team_id, text, version=workload.version, **changes)


@pytest.mark.database
def test_works(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    answer = client_of(cast.teammate).post(url(saved), sent(saved))
    assert answer.status_code == 302
    saved.refresh_from_db()
    assert saved.current is not None
    assert (saved.current.number, saved.current.created_by, saved.version) == (2, cast.teammate, 2)
    assert [r.files.get().text for r in saved.revisions.order_by("number")] == [SERVING, NEWER]
    row = Row.objects.select_related("assessment").get(workload=saved, target__name="mi300x-single")
    assert (row.assessment.revision_id, row.assessment.cause) == (saved.current_id, "manifest")
    assert Assessment.objects.filter(revision__number=1).exists(), "what was said before is history"
    entry = Entry.objects.get(action="workload.revised")
    assert (entry.who, entry.details) == (cast.teammate, {"revision": 2, "cause": "manifest"})


def test_the_form_holds_what_is_stored(cast: Cast, shipped: None, register_as: Any, client_of: ClientOf) -> None:
    declared = {
        "model_kind": "pooling",
        "features": [{"name": "lora", "required": True}, "async-output"],
        "memory_gb": 3,
    }
    workload = register_as(cast.member, cast.search, "chat", ("a.yaml", SERVING), **declared)
    page = client_of(cast.teammate).get(url(workload)).content.decode()
    assert 'name="model_kind" value="pooling"' in page
    assert 'name="engine" value="vllm"' in page
    assert 'name="detected_engine" value="vllm"' in page
    assert 'name="memory_gb" value="3"' in page
    assert 'name="other_features" value="async-output"' in page
    assert 'value="lora" id="required-1" checked' in page
    assert f'name="version" value="{workload.version}"' in page
    assert "image: vllm/vllm-openai:v0.11.0" in page
    assert 'name="team"' not in page.replace('id="move" name="team"', "")


def test_the_same_content_makes_no_revision(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    answer = client_of(cast.member).post(url(saved), sent(saved, SERVING.replace("\n", "\r\n")), follow=True)
    assert "there is no new revision" in answer.content.decode()
    assert Revision.objects.count() == 1
    assert not Entry.objects.filter(action="workload.revised").exists()


def test_owner_and_criticality_make_no_revision(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.member).post(url(saved), sent(saved, SERVING, owner="Tomas", criticality="critical"))
    saved.refresh_from_db()
    assert (saved.owner, saved.criticality, saved.version) == ("Tomas", "critical", 2)
    assert Revision.objects.count() == 1
    assert Entry.objects.get(action="workload.described").details == {"owner": "Tomas", "criticality": "critical"}


def test_declared_facts_alone_are_a_revision(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.member).post(url(saved), sent(saved, SERVING, model_kind="encoder-decoder"))
    row = Row.objects.select_related("assessment").get(workload=saved, target__name="mi300x-single")
    assert (row.verdict, row.assessment.cause, row.moved_cause) == ("pinned", "declared", "declared")


@pytest.mark.database
def test_two_people_at_once_get_a_conflict(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.teammate).post(url(saved), sent(saved, NEWER, owner="Tomas"))
    mine = SERVING.replace("--enable-lora", "--enable-prefix-caching")
    answer = client_of(cast.member).post(url(saved), sent(saved, mine, owner="Ines"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert Revision.objects.count() == 2, "nothing was overwritten"
    assert "--enable-prefix-caching" in page
    assert "v0.12.0" in page
    assert "<td>Tomas</td><td>Ines</td>" in page
    assert 'name="version" value="2"' in page
    saved.refresh_from_db()
    again = client_of(cast.member).post(url(saved), sent(saved, mine, owner="Ines"))
    assert again.status_code == 302, "saving again replaces, knowingly"
    assert Revision.objects.count() == 3


def test_two_people_with_the_same_change_agree(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    change = sent(saved)
    client_of(cast.teammate).post(url(saved), change)
    assert client_of(cast.member).post(url(saved), change).status_code == 302
    assert Revision.objects.count() == 2


def test_a_value_kept_as_harmless_stays_so(cast: Cast, shipped: None, register_as: Any, client_of: ClientOf) -> None:
    workload = register_as(cast.member, cast.search, "chat", ("a.yaml", SERVING))
    text = SERVING + "---\nkind: ConfigMap\ndata: {password: only-an-example}\n"
    client = client_of(cast.member)
    client.post(url(workload), sent(workload, text, file_name=["a.yaml"], harmless=["a.yaml#1:/data/password"]))
    page = client.get(url(workload)).content.decode()
    assert "only-an-example" in page
    assert "kept as harmless" in page


def test_a_retired_workload_is_not_changed(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client_of(cast.member).post(f"/workloads/{saved.pk}/retire/", {"reason": "replaced"})
    told = client_of(cast.member).get(url(saved), follow=True)  # before anything is written
    assert told.redirect_chain and "Restore it before changing it" in told.content.decode()
    answer = client_of(cast.member).post(url(saved), sent(saved))
    assert answer.status_code == 422
    assert "Restore it before changing it" in answer.content.decode()


def test_an_expired_session_loses_no_text(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    client.logout()
    answer = client.post(url(saved), sent(saved))
    assert answer.status_code == 403
    assert "v0.12.0" in answer.content.decode()
    assert Revision.objects.count() == 1


def test_who_may(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    for person in (cast.outsider, cast.viewer, cast.architect, cast.administrator):
        assert client_of(person).get(url(saved)).status_code == 403
        assert client_of(person).post(url(saved), sent(saved)).status_code == 403
    assert Revision.objects.count() == 1


def test_wrong_method_and_bad_id(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.member).delete(url(saved)).status_code == 405
    assert client_of(cast.member).get("/workloads/999999/edit/").status_code == 404
    assert client_of(cast.member).post("/workloads/999999/edit/", {}).status_code == 404
