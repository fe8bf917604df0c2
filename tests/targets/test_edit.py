"""Editing a target: who may, what is checked, what is told of two people at once, and what it starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.targets import actions
from portability.targets.models import Target
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

SPEC: dict[str, Any] = {
    "name": "mi300x-lab",
    "vendor": "amd",
    "part": "mi300x",
    "os": {"family": "ubuntu", "version": "24.04.4", "kernel": "6.8"},
    "rocm": "7.14.0",
    "amdgpu": "31.40.1",
    "kubernetes": "1.33",
    "operator": "1.5.1",
    "driver_managed": False,
    "resource_naming": "single",
    "gpus_per_node": 8,
    "allocation": "device-plugin",
    "metrics_exporter": True,
}
FIELDS: dict[str, Any] = {
    "version": "1",
    "vendor": "amd",
    "part": "mi300x",
    "os_family": "ubuntu",
    "os_version": "24.04.4",
    "os_kernel": "6.8",
    "rocm": "7.14.0",
    "amdgpu": "31.40.1",
    "kubernetes": "1.33",
    "operator": "1.5.1",
    "resource_naming": "single",
    "gpus_per_node": "8",
    "allocation": "device-plugin",
    "metrics_exporter": "true",
}


@pytest.fixture
def target(cast: Cast) -> Target:
    """A target of the curator."""
    created, _ = actions.create_target(cast.curator, SPEC)
    return created


@pytest.fixture
def curator(cast: Cast, client_of: ClientOf) -> Client:
    """A curator's browser."""
    return client_of(cast.curator)


def edit(client: Client, **changes: Any) -> Any:
    """Post the form of the lab target with some fields changed."""
    return client.post(reverse("targets:edit", args=["mi300x-lab"]), FIELDS | changes)


@pytest.mark.parametrize("field", ["os_version", "os_kernel", "rocm", "amdgpu", "kubernetes", "operator"])
def test_what_is_no_version_is_refused(cast: Cast, target: Target, client_of: ClientOf, field: str) -> None:
    for value in ("-1", "<b>7</b>", "seven", "[]", "7.14\n<i>"):
        answer = client_of(cast.curator).post(f"/targets/{target.name}/edit/", {**FIELDS, field: value})
        assert answer.status_code == 422 and "A version starts with a digit" in answer.content.decode()
    target.refresh_from_db()
    assert target.version == 1


def test_rocm_may_follow_the_newest(cast: Cast, target: Target, client_of: ClientOf) -> None:
    client_of(cast.curator).post(f"/targets/{target.name}/edit/", {**FIELDS, "rocm": "newest"})
    target.refresh_from_db()
    assert target.spec["rocm"] == "newest"


def test_the_form_starts_from_what_is_stored(target: Target, curator: Client) -> None:
    page = curator.get(reverse("targets:edit", args=[target.name]))
    form = page.context["form"]
    assert [form[name].value() for name in ("os_version", "gpus_per_node", "metrics_exporter")] == [
        "24.04.4",
        8,
        "true",
    ]
    assert b'value="31.40.1"' in page.content


def test_saving_unchanged_values_changes_nothing(target: Target, curator: Client) -> None:
    entries = Entry.objects.count()
    response = edit(curator)
    assert response.status_code == 302
    assert (Target.objects.get().version, Entry.objects.count()) == (1, entries)


def test_an_edit_bumps_the_version_and_leaves_a_trace(target: Target, curator: Client) -> None:
    response = edit(curator, os_version="22.04.5", os_kernel="5.15")
    assert response["Location"] == reverse("targets:target", args=[target.name])
    saved = Target.objects.get()
    assert (saved.version, saved.spec["os"]["version"], saved.spec["operator"]) == (2, "22.04.5", "1.5.1")
    entry = Entry.objects.get(action="target.saved")
    assert entry.details["changed"] == {"os kernel": ["6.8", "5.15"], "os version": ["24.04.4", "22.04.5"]}


def test_what_appears_and_what_goes_is_told_by_its_field(target: Target, curator: Client) -> None:
    edit(curator, node_labels="amd.com/gpu.family: AI", taints="- amd.com/gpu", os_kernel="")
    assert Entry.objects.get(action="target.saved").details["changed"] == {
        "node_labels amd.com/gpu.family": [None, "AI"],
        "os kernel": ["6.8", None],
        "taints": [None, ["amd.com/gpu"]],
    }


def test_the_banner_names_the_fields_in_error_and_leads_to_them(target: Target, curator: Client) -> None:
    page = edit(curator, partitions="8", os_version="noble").content.decode()
    assert '<a href="#id_os_version">OS version</a>' in page
    page = edit(curator, partitions="8").content.decode()
    assert '<a href="#id_partitions">Partitions</a>' in page and "Write one a line, as cpx_nps4: 8" in page


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("part", "", "required"),
        ("vendor", "intel", "not one of the available choices"),
        ("gpus_per_node", "many", "whole number"),
        ("os_family", "", "os.family is missing"),
        ("partitions", "cpx: 8", "not a partition style"),
        ("partitions", "[cpx_nps4]", "Write one a line, as cpx_nps4: 8."),
        ("partitions", "cpx_nps4: [", "line 1"),
        ("advertises", "amd.com/gpu: lots", "whole number"),
        ("taints", "amd.com/gpu", "Write one a line, as - amd.com/gpu."),
        ("feature_gates", "a: b", "Write one a line, as - Dynamic"),
        ("node_labels", "- a", "Write one a line, as amd.com/gpu.family: AI."),
        ("device_config", "deviceconfig.yaml", "must be the object itself"),
        ("device_config", "a: &x [1]\nb: *x", "line 2: aliases"),
        ("device_config", "a: .nan", "plain keys"),
        ("device_config", "? [1, 2]\n: b", "unhashable key"),
        ("device_config", "[" * 5000, "nesting"),
        ("advertises", "amd.com/gpu: " + "1" * 5000, "too long"),
        ("device_memory_gb", "-4", "greater than or equal to 0"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(target: Target, curator: Client, field: str, value: str, says: str) -> None:
    page = edit(curator, **{field: value})
    assert page.status_code == 422
    assert says.lower() in " ".join(page.context["form"].errors[field]).lower()
    assert Target.objects.get().version == 1


def test_every_field_of_a_target_file_can_be_given(target: Target, curator: Client) -> None:
    typed = {
        "openshift": "4.18",
        "resource_naming": "mixed",
        "allocation": "dra",
        "driver_managed": "on",
        "metrics_exporter": "",
        "device_memory_gb": "24",
        "partitions": "cpx_nps4: 8",
        "advertises": "amd.com/cpx_nps4: 64",
        "node_labels": "amd.com/gpu.family: AI",
        "taints": "- amd.com/gpu",
        "feature_gates": "- DynamicResourceAllocation",
        "device_config": "kind: DeviceConfig\nspec: {driver: {enable: true}}",
    }
    assert edit(curator, **typed).status_code == 302
    spec = Target.objects.get().spec
    assert "metrics_exporter" not in spec
    assert (spec["partitions"], spec["advertises"]) == ({"cpx_nps4": 8}, {"amd.com/cpx_nps4": 64})
    assert (spec["taints"], spec["feature_gates"]) == (["amd.com/gpu"], ["DynamicResourceAllocation"])
    assert spec["device_config"]["spec"] == {"driver": {"enable": True}}
    assert (spec["driver_managed"], spec["device_memory_gb"], spec["allocation"]) == (True, 24, "dra")


def test_what_a_database_cannot_hold_is_replaced(target: Target, curator: Client) -> None:
    assert edit(curator, device_config='kind: "Device\\0Config"').status_code == 302
    assert Target.objects.get().spec["device_config"] == {"kind": "Device\ufffdConfig"}


def test_two_people_at_once_are_told_and_nothing_is_lost(target: Target, curator: Client, cast: Cast) -> None:
    edit(curator, rocm="10.0.0")
    page = edit(curator, rocm="7.12.0")
    assert page.status_code == 409
    assert Target.objects.get().spec["rocm"] == "10.0.0"
    assert b"10.0.0" in page.content and b'value="7.12.0"' in page.content
    again = edit(curator, rocm="7.12.0", version=page.context["form"]["version"].value())
    assert again.status_code == 302
    assert (Target.objects.get().spec["rocm"], Target.objects.get().version) == ("7.12.0", 3)


def test_only_curators_edit(target: Target, cast: Cast, client_of: ClientOf) -> None:
    for person in (None, cast.viewer, cast.member, cast.architect, cast.administrator):
        assert edit(client_of(person), rocm="10.0.0").status_code == 403
    assert client_of(cast.architect).get(reverse("targets:edit", args=[target.name])).status_code == 403
    assert Target.objects.get().version == 1


def test_an_unknown_target_is_not_found(cast: Cast, curator: Client) -> None:
    assert edit(curator).status_code == 404
