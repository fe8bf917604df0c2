"""The pages of custom rules: the form with its trial, a rule's page, the list, and the file for pipelines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.engine.custom_rules.rule import parse_rules
from portability.register.models import Run
from portability.rules.custom import actions
from portability.rules.custom.words import EXAMPLES
from portability.rules.models import CustomRule
from portability.targets.models import Target
from tests.conftest import Cast
from tests.rules.custom import BOMB, MOVABLE, VALUES, enable, values, work, workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
NEW = "/rules/custom/new/"


@pytest.fixture
def curator(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.curator)


def test_where_they_are() -> None:
    assert reverse("rules:custom_new") == NEW
    assert reverse("rules:rule", args=["ORG001"]) == "/rules/ORG001/"
    assert reverse("rules:custom_export") == "/rules/custom.yaml"


def test_a_rule_is_tried_and_then_enabled(curator: Client, few: Target) -> None:
    tried = curator.post(NEW, {**VALUES, "act": "try"})
    page = tried.content.decode()
    assert "2 of 2 workloads were looked at" in page
    assert "1 would be hit" in page
    assert not CustomRule.objects.exists()
    token = tried.context["form"]["tried"].value()
    saved = curator.post(NEW, {**VALUES, "act": "enable", "tried": token}, follow=True)
    assert saved.redirect_chain == [("/rules/ORG001/", 302)]
    assert "ORG001 was added and enabled. 2 assessments are made again" in saved.content.decode()
    run = Run.objects.get()
    under_way = f'A re-evaluation is under way: <a href="/register/runs/{run.pk}/">see how far it is</a>'
    assert under_way in saved.content.decode()
    assert "None of the workloads" not in saved.content.decode()
    work()
    judged = curator.get("/rules/ORG001/").content.decode()
    assert "three" in judged and under_way not in judged


def test_a_rule_that_hits_nothing_says_so_once_all_is_judged(cast: Cast, curator: Client, few: Target) -> None:
    enable(cast.curator, condition="value > 200")
    assert "None of the workloads" not in curator.get("/rules/ORG001/").content.decode()
    work()
    assert f"None of the workloads judged for {few.name}." in curator.get("/rules/ORG001/").content.decode()


def test_it_is_enabled_only_as_it_was_tried(curator: Client, few: Target) -> None:
    """Straight away, and with another condition than the one that was tried, the trial is shown instead."""
    assert b"What it would do" in curator.post(NEW, {**VALUES, "act": "enable"}).content
    token = curator.post(NEW, {**VALUES, "act": "try"}).context["form"]["tried"].value()
    other = {**VALUES, "condition": "value > 0", "act": "enable", "tried": token}
    assert b"<b>2 would be hit</b>" in curator.post(NEW, other).content
    assert not CustomRule.objects.exists()


def test_a_draft_is_kept_as_it_is(curator: Client, few: Target) -> None:
    answer = curator.post(NEW, {**VALUES, "act": "draft"}, follow=True)
    assert "ORG001 was kept as a draft." in answer.content.decode()
    assert "A draft: no workload is judged by it." in answer.content.decode()


def test_a_rule_at_fault_is_not_offered_to_be_enabled(curator: Client, few: Target) -> None:
    page = curator.post(NEW, {**VALUES, "condition": BOMB, "act": "try"}).content.decode()
    assert "It cannot be enabled. On 2 workloads it would be switched off" in page
    assert "Save and enable" not in page


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("path", "spec.replicas", "Starts with $"),
        ("path", "$..[", "Unbalanced brackets"),
        ("condition", "value >", "Ends too early"),
        ("condition", "name == 'a'", "is not known here"),
        ("condition", "x" * 1_001, "1000"),
        ("effect", "warn", "valid choice"),
        ("applies_to", "intel", "valid choice"),
        ("reason", "", "required"),
        ("link", "javascript:alert(1)", "Give an address"),
        ("name", "a\x00b", "Null characters"),
        ("condition", "value == 'a\x00b'", "Null characters"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(curator: Client, few: Target, field: str, value: str, said: str) -> None:
    for act in ("try", "draft", "enable"):
        answer = curator.post(NEW, {**VALUES, field: value, "act": act})
        assert answer.status_code == 422
        assert said in " ".join(answer.context["form"].errors[field])
    assert not CustomRule.objects.exists()


def test_editing_keeps_what_was_typed_when_someone_was_quicker(curator: Client, cast: Cast, few: Target) -> None:
    rule = enable(cast.administrator)
    actions.save_rule(cast.administrator, 1, rule.version, values(condition="value > 7"), enable=True)
    sent = {**VALUES, "condition": "value > 5", "version": str(rule.version), "act": "draft"}
    answer = curator.post("/rules/custom/1/edit/", sent)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "its condition <code>value &gt; 7</code>" in page
    assert ">value &gt; 5</textarea>" in page.replace("\n", "")
    again = curator.post("/rules/custom/1/edit/", {**sent, "version": answer.context["form"]["version"].value()})
    assert again.status_code == 302
    assert CustomRule.objects.get().condition == "value > 5"


def test_editing_an_enabled_rule(curator: Client, cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    work()
    assert "value &gt; 2" in curator.get("/rules/custom/1/edit/").content.decode()
    sent = {**VALUES, "condition": "value > 9", "version": str(rule.version), "act": "try"}
    tried = curator.post("/rules/custom/1/edit/", sent)
    assert "<b>none would be hit</b>, 1 that it hits now would be hit no more" in tried.content.decode()
    sent |= {"act": "enable", "tried": tried.context["form"]["tried"].value()}
    assert curator.post("/rules/custom/1/edit/", sent).status_code == 302
    assert CustomRule.objects.get().condition == "value > 9"


def test_switching_off_asks_why(curator: Client, cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    url = "/rules/custom/1/off/"
    assert curator.post(url, {"version": rule.version, "reason": " "}).status_code == 422
    assert curator.post(url, {"version": "x", "reason": "so"}).status_code == 422
    curator.post(url, {"version": rule.version, "reason": "The second site grew."})
    page = curator.get("/rules/ORG001/").content.decode()
    assert "Switched off by curator" in page
    assert "The second site grew." in page


def test_removing_asks_first(curator: Client, cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    assert "will never mean another rule" in curator.get("/rules/custom/1/remove/").content.decode()
    curator.post("/rules/custom/1/remove/", {"version": str(rule.version - 1)})
    assert CustomRule.objects.get().state == "enabled"
    curator.post("/rules/custom/1/remove/", {"version": str(rule.version)})
    assert CustomRule.objects.get().state == "removed"
    assert "Removed by curator" in curator.get("/rules/ORG001/").content.decode()
    assert "Few replicas" not in curator.get("/rules/").content.decode()
    assert curator.get("/rules/custom/1/edit/").status_code == 404


def test_everyone_reads_and_only_curators_are_offered_to_write(reader: Client, cast: Cast, few: Target) -> None:
    enable(cast.curator)
    work()
    listed = reader.get("/rules/").content.decode()
    assert 'href="/rules/ORG001/"' in listed
    assert NEW not in listed
    page = reader.get("/rules/ORG001/").content.decode()
    assert "The second site has two nodes." in page
    assert "$.spec.replicas" in page
    assert "/rules/custom/1/" not in page
    assert reader.get(NEW).status_code == 403


def test_the_register_is_filtered_by_it_and_a_finding_leads_to_it(reader: Client, cast: Cast, few: Target) -> None:
    enable(cast.curator)
    work()
    register = reader.get("/register/?rule=ORG001").content.decode()
    assert "three" in register
    assert ">two<" not in register
    three = few.rows.get(workload__name="three").workload_id
    page = reader.get(f"/workloads/{three}/").content.decode()
    assert '<a class="rule" href="/rules/ORG001/">ORG001</a>' in page
    assert "Few replicas" in page
    assert "Organisation’s own rule" in page


@pytest.mark.parametrize("label", ["ORG000", "ORG002", "ORG0001", "ORG1", "ORG", "ORGabc", "ORG99999999999", "XYZ001"])
def test_no_such_rule(reader: Client, cast: Cast, few: Target, label: str) -> None:
    enable(cast.curator)
    assert reader.get(f"/rules/{label}/").status_code == 404


def test_the_enabled_rules_as_a_file(reader: Client, cast: Cast, few: Target) -> None:
    enable(cast.curator)
    actions.add_rule(cast.curator, values(name="Draft", condition="value > 7"), enable=False)
    answer = reader.get("/rules/custom.yaml")
    assert answer["Content-Disposition"] == 'attachment; filename="rules.yaml"'
    (rule,) = parse_rules(yaml.safe_load(answer.content), "rules.yaml")
    assert (rule.id, rule.condition, rule.enabled) == ("ORG001", "value > 2", True)


def test_every_example_of_the_form_is_understood(curator: Client, few: Target) -> None:
    page = curator.get(NEW).content.decode()
    for example in EXAMPLES:
        assert example.says in page
        sent = {**VALUES, "path": example.path, "condition": example.condition, "act": "try"}
        assert curator.post(NEW, sent).context["trial"].may_enable


def test_a_value_is_told_to_those_who_may_read_the_manifest(cast: Cast, few: Target, client_of: ClientOf) -> None:
    """A rule may lead to any text of any team. What is no text, and which image, everyone is told."""
    text = MOVABLE.format(name="four", replicas=4) + "---\nkind: ConfigMap\ndata: {door: quiet-harbour-7, steps: 17}\n"
    four = workload(cast.search, "four", text=text)
    enable(cast.curator, path="$.data[*]", condition="true")
    enable(cast.curator, path="$..image", condition="true")
    work()
    for who, told in ((cast.member, True), (cast.architect, True), (cast.curator, False), (cast.outsider, False)):
        page = client_of(who).get(f"/workloads/{four.pk}/").content.decode()
        assert ("quiet-harbour-7" in page) is told, who
        assert "serving.yaml:13" in page and "python:3.12" in page, who
    sent = VALUES | {"path": "$.data[*]", "condition": "true", "act": "try"}
    tried = client_of(cast.curator).post("/rules/custom/new/", sent).content.decode()
    assert "quiet-harbour-7" not in tried and "serving.yaml:13: <code>17</code>" in tried
    assert "quiet-harbour-7" in client_of(cast.administrator).post("/rules/custom/new/", sent).content.decode()
