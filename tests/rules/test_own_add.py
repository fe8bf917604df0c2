"""Entering a row: who may, what is checked, what it does to verdicts, and what is judged again."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register import queries as register
from portability.register.bases import renew
from portability.register.models import Assessment, Batch, Row, Run
from portability.rules import actions
from portability.rules.models import VendorRow
from portability.rules.queries import judged_by
from portability.targets.models import Target
from tests.conftest import Cast
from tests.register.registering import register_workload
from tests.rules.own import CLAIMS, FIELDS, effects_of, enter, values, verdict, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
URL = "/rules/own/new/"


def add(client: Client, **fields: str) -> str:
    answer = client.post(URL, FIELDS | fields | {"act": "save"}, follow=True)
    return answer.content.decode()


def test_a_private_image_that_is_nvidias_is_to_be_changed_for_its_counterpart(
    cast: Cast, world: Target, client_of: ClientOf
) -> None:
    assert effects_of("private", "IMG003") == ["confirm"] and effects_of("private", "IMG001") == []
    page = add(client_of(cast.curator))
    assert "images/ml/scorer was entered. What this touches is judged again" in page
    work()
    assert effects_of("private", "IMG003") == [] and effects_of("private", "IMG001") == ["change"]
    said = Row.objects.get(workload__name="private")
    assert "Use ml/scorer-rocm in its place" in said.what_to_change
    assert "built on the CUDA base image." in said.reasons
    today = timezone.localdate().isoformat()
    wanted = f"organisation-rows, entered {today} by curator: images/ml/scorer = nvidia; counterpart: ml/scorer-rocm"
    assert wanted in said.evidence.splitlines()


def test_whose_it_is_and_its_effect_are_chosen_and_never_a_default(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    form = client.get(URL, {"table": "images", "pattern": "ml/scorer"}).context["form"]
    assert not form["vendor"].value() and not form["effect"].value()
    for missing in ("vendor", "effect"):
        answer = client.post(URL, FIELDS | {missing: "", "act": "save"})
        assert answer.status_code == 422 and list(answer.context["form"].errors) == [missing]
    assert not VendorRow.objects.exists()


@pytest.mark.parametrize(
    ("fields", "effect"),
    [
        ({"vendor": "none", "counterpart": ""}, "change"),
        ({"table": "taints", "pattern": "example.com/gpu"}, "note"),
    ],
)
def test_an_effect_is_not_asked_for_where_there_is_none_to_choose(
    cast: Cast, client_of: ClientOf, fields: dict[str, str], effect: str
) -> None:
    add(client_of(cast.curator), **fields, effect="")
    assert VendorRow.objects.get().effect == effect


def test_a_private_image_that_is_nobodys_makes_movable_what_has_nothing_else(cast: Cast, world: Target) -> None:
    assert verdict("claims") == "needs-change"
    enter(cast.curator, vendor="none")
    work()
    assert (verdict("claims"), effects_of("claims", "IMG003")) == ("movable", [])
    assert verdict("private") == "needs-change", "it asks for NVIDIA's resource all the same"


def test_only_what_it_touches_is_judged_again_and_out_of_date(cast: Cast, world: Target) -> None:
    before = dict(Row.objects.values_list("workload__name", "assessment"))
    enter(cast.curator)
    run = Run.objects.get()
    assert (run.cause, run.about, run.total, run.started_by) == (
        "rows",
        "own row images/ml/scorer was added",
        2,
        cast.curator,
    )
    pairs = sorted(Row.objects.exclude(workload__name="public").values_list("workload_id", "target_id"))
    assert [tuple(pair) for batch in Batch.objects.all() for pair in batch.pairs] == pairs
    assert register.outdated_pairs() == pairs
    assert Row.objects.get(workload__name="public").assessment.catalogue == judged_by()
    work()
    assert register.outdated_pairs() == []
    after = dict(Row.objects.values_list("workload__name", "assessment"))
    assert {name for name in after if after[name] != before[name]} == {"private", "claims"}
    assert Assessment.objects.count() == 5, "the untouched have no second one"
    moved = Row.objects.get(workload__name="claims").assessment
    assert moved.cause == "rows"


def test_what_was_out_of_date_for_another_reason_stays_so(cast: Cast, world: Target) -> None:
    Assessment.objects.filter(revision__workload__name="public").update(catalogue="of older rules")
    renew(Row.objects.filter(workload__name="public"))
    enter(cast.curator)
    work()
    assert [workload for workload, _ in register.outdated_pairs()] == list(
        Row.objects.filter(workload__name="public").values_list("workload_id", flat=True)
    )


def test_a_row_that_touches_nothing_starts_nothing_and_leaves_nothing_out_of_date(cast: Cast, world: Target) -> None:
    saved = actions.add_rows(cast.curator, [values("ml/ranker")])
    assert saved.run is None and not Run.objects.exists()
    assert register.outdated_pairs() == []


def test_a_row_that_others_stand_before_touches_nothing(cast: Cast, world: Target) -> None:
    enter(cast.curator, "ml/scorer")
    work()
    assert actions.add_rows(cast.curator, [values("ml/*", "amd")]).run is None, "the more particular row answers"


def test_an_image_that_looks_like_a_vendors_can_be_said_to_be_nobodys(cast: Cast, world: Target) -> None:
    assert effects_of("public", "IMG001") == ["change"]
    enter(cast.curator, "vllm/vllm-openai", "none")
    work()
    assert effects_of("public", "IMG001") == []


def test_the_worker_is_woken_when_the_row_is_committed(
    cast: Cast, world: Target, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with mock.patch("portability.register.actions.wake") as wake:
        with django_capture_on_commit_callbacks(execute=True):
            enter(cast.curator)
        wake.assert_called_once_with([Batch.objects.get().pk])


def test_the_preview_says_what_would_change_and_writes_nothing(cast: Cast, world: Target, client_of: ClientOf) -> None:
    client = client_of(cast.curator)
    before = list(Row.objects.order_by("pk").values()), Assessment.objects.count(), judged_by()
    page = client.post(URL, FIELDS | {"vendor": "none", "counterpart": "", "act": "preview"})
    would = page.context["would"]
    assert [(t.workload.name, t.first.target.name) for t in would.touched] == [
        ("claims", "mi300x-single"),
        ("private", "mi300x-single"),
    ]
    assert (would.may, would.looked_at) == (2, 2)
    text = page.content.decode()
    assert "2 workloads are touched" in text
    assert 'name="act" value="save"' in text
    after = list(Row.objects.order_by("pk").values()), Assessment.objects.count(), judged_by()
    assert before == after
    assert not VendorRow.objects.exists() and not Run.objects.exists() and not Entry.objects.exists()


def test_the_preview_says_first_what_becomes_movable(cast: Cast, client_of: ClientOf) -> None:
    """A row that is wrong does most harm there."""
    nvidia = {"name": "h100", "vendor": "nvidia", "part": "h100"}
    Target.objects.create(name="h100", vendor="nvidia", spec=nvidia, default=True)
    register_workload(cast.search, "a-host", text=CLAIMS.replace("  containers:", "  hostPID: true\n  containers:"))
    register_workload(cast.search, "both", text=CLAIMS + "---\n" + CLAIMS.replace("ml/scorer", "rocm/scorer"))
    register_workload(cast.search, "claims", text=CLAIMS)
    page = client_of(cast.curator).post(URL, FIELDS | {"vendor": "none", "counterpart": "", "act": "preview"})
    would = page.context["would"]
    assert [(t.workload.name, t.freed) for t in would.shown] == [("a-host", True), ("claims", True), ("both", False)]
    assert "2 of them get another verdict: <b>2 become movable</b>" in page.content.decode()


def test_the_preview_says_where_the_rest_was_not_looked_at(
    cast: Cast, world: Target, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portability.rules.effects.LOOKED_AT", 1)
    page = client_of(cast.curator).post(URL, FIELDS | {"act": "preview"}).content.decode()
    assert "Of the first 1 of 2 workloads that may hold these names" in page
    assert "saving judges all 2 again" in page
    enter(cast.curator)
    assert Run.objects.get().total == 2, "those not looked at are taken as touched"


def test_a_form_can_be_filled_by_the_address(cast: Cast, world: Target, client_of: ClientOf) -> None:
    page = client_of(cast.administrator).get(URL, {"table": "instances", "pattern": 'x"><script>'}).content.decode()
    assert '<option value="instances" selected>' in page
    assert "x&quot;&gt;&lt;script&gt;" in page and "<script>'" not in page


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"pattern": ""}, "This field is required."),
        ({"pattern": "*"}, "This would match nearly everything"),
        ({"pattern": "*:*"}, "This would match nearly everything"),
        ({"pattern": "registry.example/*"}, "choose its host instead"),
        ({"pattern": "ml/a\nb"}, "A pattern is one word"),
        ({"pattern": "ml/ä-scorer"}, "A pattern is one word"),
        ({"pattern": "x" * 201}, "at most 200 characters"),
        ({"table": "environment", "pattern": "=1x2"}, "Give the name as well"),
        ({"table": "kinds", "pattern": "GpuJob"}, "Write group and kind"),
        ({"table": "registries", "pattern": "example.com/ml"}, "Give the host alone"),
        ({"table": "code", "pattern": "import scorer"}, "not one of the available choices"),
        ({"vendor": "intel"}, "not one of the available choices"),
        ({"table": "labels", "effect": "blocks"}, "For node label, or label=value it is one of"),
        ({"vendor": "none"}, "leave it empty"),
        ({"counterpart": "x" * 201}, "at most 200 characters"),
        ({"counterpart": "a\nb"}, "Write it in one line."),
        ({"note": "a\rb"}, "Write it in one line."),
        ({"link": "javascript:alert(1)"}, "Give an address that begins with https://."),
        ({"link": "ftp://example.com/x"}, "Give an address that begins with https://."),
    ],
)
def test_what_is_no_row_is_refused_at_its_field(
    cast: Cast, client_of: ClientOf, fields: dict[str, str], said: str
) -> None:
    for act in ("preview", "save"):
        answer = client_of(cast.curator).post(URL, FIELDS | fields | {"act": act})
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert not VendorRow.objects.exists()


def test_host_and_digest_are_taken_off_an_image(cast: Cast, client_of: ClientOf) -> None:
    add(client_of(cast.curator), pattern=f"registry.example:5000/ml/scorer:4.2@sha256:{'0' * 64}")
    assert VendorRow.objects.get().pattern == "ml/scorer:4.2"


def test_the_same_pattern_again_is_refused_with_the_row_that_is_there(cast: Cast, client_of: ClientOf) -> None:
    enter(cast.administrator)
    answer = client_of(cast.curator).post(URL, FIELDS | {"pattern": "ML/Scorer", "act": "save"})
    assert answer.status_code == 422
    assert "There is already a row for ml/scorer (NVIDIA, entered by administrator)" in answer.content.decode()
    with pytest.raises(actions.Refused, match="already"):
        actions.add_rows(cast.curator, [values("ML/scorer")])
    assert VendorRow.objects.count() == 1


def test_one_that_was_removed_can_be_entered_again(cast: Cast) -> None:
    actions.remove_row(cast.curator, enter(cast.curator).pk, 1)
    enter(cast.curator)
    assert VendorRow.objects.count() == 2


def test_hostile_text_stays_text(cast: Cast, world: Target, client_of: ClientOf) -> None:
    bad = "<script>alert(1)</script>"
    page = add(client_of(cast.curator), note=bad, counterpart=bad, pattern="ml/scorer<script>")
    assert bad not in page and "&lt;script&gt;" in page


def test_before_anything_is_entered_the_list_says_where_to_begin(cast: Cast, client_of: ClientOf) -> None:
    assert "No row yet." in client_of(cast.viewer).get("/rules/own/").content.decode()


def test_it_is_in_the_history(cast: Cast) -> None:
    enter(cast.curator)
    entry = Entry.objects.get()
    assert (entry.who, entry.action, entry.subject) == (cast.curator, "row.added", "images/ml/scorer")
    assert entry.details["vendor"] == "nvidia"


@pytest.mark.parametrize("name", ["viewer", "member", "outsider", "architect"])
def test_others_are_refused(cast: Cast, client_of: ClientOf, name: str) -> None:
    person = getattr(cast, name)
    for method in ("get", "post"):
        assert getattr(client_of(person), method)(URL, FIELDS).status_code == 403
    with pytest.raises(PermissionDenied):
        actions.add_rows(person, [values()])
    assert not VendorRow.objects.exists()
