"""The settings: who keeps them, what they take, what is written down, and two people at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.organisation import actions, queries
from portability.organisation.actions import Chosen
from portability.organisation.models import DefaultTarget, Organisation
from portability.targets import actions as targets
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.addresses import custom_rule
from tests.conftest import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

PAGE = "/settings/"


@pytest.fixture
def administrator(cast: Cast, shipped: None, client_of: ClientOf) -> Client:
    """The client of an administrator, in a register with the shipped targets."""
    return client_of(cast.administrator)


def form(**changes: Any) -> dict[str, Any]:
    """What the page sends where everything is as at first."""
    at_first = {
        "name": "Example Bank",
        "time_zone": "Europe/Vienna",
        "first_month": "4",
        "readers": "team",
        "rehearsal_days": "180",
        "not_waivable": ["SRV001", "IMG001"],
        "target_nvidia": "mi300x-newest",
        "target_amd": "h100",
        "target_other": "",
        "version": "1",
    }
    return at_first | changes


def chosen(**changes: Any) -> Chosen:
    """What an action is given."""
    values: dict[str, Any] = {
        "name": "",
        "time_zone": "",
        "first_month": 1,
        "manifests_for_everyone": False,
        "not_waivable": (),
        "rehearsal_days": 365,
        "targets": {},
    }
    return Chosen(**values | changes)


def test_for_everyone_else_there_is_no_such_page(cast: Cast, client_of: ClientOf) -> None:
    for person in (cast.viewer, cast.member, cast.architect, cast.curator):
        assert client_of(person).get(PAGE).status_code == 404
        assert client_of(person).post(PAGE, form()).status_code == 404
        with pytest.raises(PermissionDenied):
            actions.save_settings(person, 1, chosen())
    assert not Organisation.objects.exists()


def test_what_is_chosen_is_kept_and_written_down(administrator: Client) -> None:
    answer = administrator.post(PAGE, form(), follow=True)
    assert "The settings are saved." in answer.content.decode()
    kept = Organisation.objects.get()
    assert (kept.name, kept.time_zone, kept.first_month, kept.version) == ("Example Bank", "Europe/Vienna", 4, 2)
    assert (kept.rehearsal_days, kept.not_waivable) == (180, ["IMG001", "SRV001"])
    assert {v: t.name for v, t in queries.default_targets().items()} == {"nvidia": "mi300x-newest", "amd": "h100"}
    changed = Entry.objects.get(action="organisation.saved").details["changed"]
    assert changed["name"] == ["", "Example Bank"]
    assert changed["target for nvidia"] == ["mi300x-single", "mi300x-newest"]
    assert "target for amd" not in changed and "manifests for everyone" not in changed


def test_the_page_shows_what_is_chosen_and_the_moment_there(administrator: Client) -> None:
    administrator.post(PAGE, form())
    page = administrator.get(PAGE).content.decode()
    assert 'value="Europe/Vienna"' in page and "UTC+0" in page
    assert '<option value="4" selected>April</option>' in page
    assert '<option value="mi300x-newest" selected>' in page
    assert '<input type="checkbox" name="not_waivable" value="SRV001" checked>' in page
    assert page.count(" checked>") == 3  # two rules, and who reads
    assert "Portability register<span" in page and "Example Bank" in page


def test_saving_what_is_there_changes_nothing(administrator: Client) -> None:
    administrator.post(PAGE, form())
    answer = administrator.post(PAGE, form(version="2"), follow=True)
    assert "Nothing was changed." in answer.content.decode()
    assert Organisation.objects.get().version == 2
    assert Entry.objects.filter(action="organisation.saved").count() == 1


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("time_zone", "Vienna", "no zone of the IANA database"),
        ("time_zone", "../../etc/passwd", "no zone of the IANA database"),
        ("time_zone", "localtime", "no zone of the IANA database"),
        ("first_month", "13", "Select a valid choice"),
        ("rehearsal_days", "0", "greater than or equal to 1"),
        ("rehearsal_days", "99999999999", "less than or equal to 3650"),
        ("not_waivable", ["NOPE1"], "Select a valid choice"),
        ("target_nvidia", "", "required"),
        ("target_nvidia", "h100", "Select a valid choice"),
        ("target_amd", "nowhere", "Select a valid choice"),
        ("name", "x" * 121, "at most 120"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_saved(
    administrator: Client, field: str, value: object, said: str
) -> None:
    answer = administrator.post(PAGE, form(**{field: value}))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert said in page
    assert 'value="180"' in page or field == "rehearsal_days", "what was typed stays"
    assert not Organisation.objects.exists()


def test_a_zone_is_found_whatever_its_capitals(administrator: Client) -> None:
    administrator.post(PAGE, form(time_zone="europe/vienna"))
    assert Organisation.objects.get().time_zone == "Europe/Vienna"


def test_two_people_at_once_are_told(cast: Cast, administrator: Client) -> None:
    administrator.post(PAGE, form(name="First"))
    answer = administrator.post(PAGE, form(name="Second"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "someone else changed the settings" in page and "First" in page and 'value="Second"' in page
    assert Organisation.objects.get().name == "First"
    assert 'name="version" value="2"' in page
    administrator.post(PAGE, form(name="Second", version="2"))
    assert Organisation.objects.get().name == "Second"


def test_a_target_that_was_put_to_rest_meanwhile_is_refused(cast: Cast, shipped: None) -> None:
    Target.objects.filter(name="mi300x-newest").update(active=False)
    with pytest.raises(actions.Refused, match="no active target"):
        actions.save_settings(cast.administrator, 1, chosen(targets={"nvidia": "mi300x-newest"}))
    with pytest.raises(actions.Refused, match="Choose a target of another vendor"):
        actions.save_settings(cast.administrator, 1, chosen(targets={"nvidia": "h100"}))
    assert queries.default_targets()["nvidia"].name == "mi300x-single"


def test_the_organisations_own_rules_are_among_those_nobody_may_waive(administrator: Client, cast: Cast) -> None:
    rule = custom_rule()
    administrator.post(PAGE, form(not_waivable=[rule.label]))
    assert Organisation.objects.get().not_waivable == [rule.label]
    rule.state = rule.State.REMOVED
    rule.save()
    assert f'value="{rule.label}" checked' in administrator.get(PAGE).content.decode(), "removed since, and still there"


def test_the_first_start_chooses_targets_and_an_upgraded_register_gets_the_same(cast: Cast, shipped: None) -> None:
    first = {d.vendor: d.target.name for d in DefaultTarget.objects.all()}
    assert first == {"nvidia": "mi300x-single", "amd": "h100"}
    DefaultTarget.objects.filter(vendor="amd").delete()
    nvidia = DefaultTarget.objects.get(vendor="nvidia")
    nvidia.target = Target.objects.get(name="mi355x-single")
    nvidia.save()
    assert actions.choose_default_targets() == ["what runs on amd would go to h100"]
    assert {d.vendor: d.target.name for d in DefaultTarget.objects.all()} == {"nvidia": "mi355x-single", "amd": "h100"}


def test_where_the_register_opens_with_an_nvidia_target_another_one_is_chosen(cast: Cast, shipped: None) -> None:
    DefaultTarget.objects.all().delete()
    Target.objects.update(default=False)
    Target.objects.filter(name="h100").update(default=True)
    actions.choose_default_targets()
    assert {d.vendor: d.target.vendor for d in DefaultTarget.objects.all()} == {"nvidia": "amd", "amd": "nvidia"}


def test_the_target_of_a_vendor_is_neither_put_to_rest_nor_given_to_that_vendor(
    cast: Cast, shipped: None, client_of: ClientOf
) -> None:
    with pytest.raises(targets.Refused, match=r"run on amd would go to h100.*under Settings first"):
        targets.deactivate(cast.curator, "h100")
    stored = Target.objects.get(name="h100")
    with pytest.raises(targets.Refused, match="so it is a target of another vendor"):
        targets.save_target(cast.curator, "h100", stored.version, stored.spec | {"vendor": "amd", "part": "mi300x"})
    actions.save_settings(cast.administrator, 1, chosen(targets={"amd": ""}))
    targets.deactivate(cast.curator, "h100")
    assert not Target.objects.get(name="h100").active


def test_manifest_text_is_opened_to_everyone_and_closed_again(
    cast: Cast, registered: Workload, client_of: ClientOf
) -> None:
    outsider, administrator = client_of(cast.outsider), client_of(cast.administrator)
    text = reverse("workloads:file", args=[registered.pk, 1, 0])
    assert outsider.get(text).status_code == 403
    administrator.post(PAGE, form(readers="everyone"))
    assert outsider.get(text).status_code == 200
    assert "vllm/vllm-openai" in outsider.get(f"/workloads/{registered.pk}/").content.decode()
    assert client_of(None).get(text).status_code == 302, "only who is signed in"
    administrator.post(PAGE, form(readers="team", version="2"))
    assert outsider.get(text).status_code == 403
