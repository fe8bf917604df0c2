"""The pages of webhooks: kept by administrators, the secret shown once, every attempt to be seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.notifications import actions
from portability.notifications.models import Delivery, Endpoint
from portability.targets.models import Target
from tests.conftest import Cast
from tests.notifications.telling import URL, add, pin, pin_others, tell
from tests.outbound.servers import FakeNetwork, said

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
VALUES = {"name": "chat", "url": URL}


@pytest.fixture
def keeper(cast: Cast, client_of: ClientOf, web: FakeNetwork) -> Client:
    """The client of an administrator, where two hosts are allowed."""
    return client_of(cast.administrator)


def test_adding_shows_the_secret_once(cast: Cast, keeper: Client) -> None:
    shown = keeper.post("/webhooks/new/", VALUES | {"teams": [cast.media.pk]}, follow=True)
    endpoint = Endpoint.objects.get()
    page = shown.content.decode()
    assert endpoint.secret in page and "shown only now" in page
    assert len(endpoint.secret) >= 40
    for address in (f"/webhooks/{endpoint.pk}/", "/webhooks/", "/webhooks/new/"):
        assert endpoint.secret not in keeper.get(address).content.decode()
    assert [team.name for team in endpoint.teams.all()] == ["Media"]
    entry = Entry.objects.get(action="webhook.added")
    assert entry.details == {"host": "hooks.example.com", "teams": ["Media"]}
    assert endpoint.secret not in str(list(Entry.objects.values()))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"url": "http://hooks.example.com/in"}, "is not encrypted"),
        ({"url": "https://elsewhere.example.com/"}, "an operator adds it to PORTABILITY_WEBHOOK_HOSTS"),
        ({"url": "https://10.0.0.1/"}, "names no host by its full name"),
        ({"url": ""}, "This field is required."),
        ({"name": ""}, "This field is required."),
        ({"teams": ["999"]}, "is not one of the available choices"),
    ],
    ids=["plain", "other host", "number", "no address", "no name", "no team"],
)
def test_what_cannot_be_is_refused_and_kept_in_the_form(keeper: Client, values: dict[str, object], words: str) -> None:
    answer = keeper.post("/webhooks/new/", VALUES | values)
    assert answer.status_code == 422 and words in answer.content.decode()
    if values.get("url"):
        assert str(values["url"]) in answer.content.decode()
    assert not Endpoint.objects.exists()


def test_two_of_one_name_are_refused(cast: Cast, keeper: Client) -> None:
    add(cast.administrator)
    assert "already a webhook called chat" in keeper.post("/webhooks/new/", VALUES).content.decode()
    other = add(cast.administrator, name="board")
    assert "already a webhook called chat" in keeper.post(f"/webhooks/{other.pk}/", VALUES).content.decode()
    assert sorted(Endpoint.objects.values_list("name", flat=True)) == ["board", "chat"]


def test_where_no_host_is_allowed_the_pages_say_so(cast: Cast, client_of: ClientOf) -> None:
    keeper = client_of(cast.administrator)
    page = keeper.get("/webhooks/").content.decode()
    assert "Nothing is sent: no host is allowed" in page and "Add a webhook" not in page
    answer = keeper.post("/webhooks/new/", VALUES)
    assert answer.status_code == 422 and "Connections are off" in answer.content.decode()


def test_changing_keeps_the_secret_and_is_on_record(cast: Cast, keeper: Client) -> None:
    endpoint = add(cast.administrator)
    keeper.post(f"/webhooks/{endpoint.pk}/", {"name": "board", "url": "https://other.example.com/x"})
    changed = Endpoint.objects.get()
    assert (changed.name, changed.url, changed.secret) == ("board", "https://other.example.com/x", endpoint.secret)
    entry = Entry.objects.get(action="webhook.saved")
    assert entry.details == {"host": "other.example.com", "address_changed": True, "teams": []}


def test_a_new_secret_is_shown_once_and_on_record(cast: Cast, keeper: Client) -> None:
    endpoint = add(cast.administrator)
    page = keeper.post(f"/webhooks/{endpoint.pk}/secret/", follow=True).content.decode()
    renewed = Endpoint.objects.get().secret
    assert renewed != endpoint.secret and renewed in page
    assert renewed not in keeper.get(f"/webhooks/{endpoint.pk}/").content.decode()
    assert Entry.objects.filter(action="webhook.secret-renewed").count() == 1


def test_switching_is_on_record_and_twice_is_once(cast: Cast, keeper: Client) -> None:
    endpoint = add(cast.administrator)
    for _ in range(2):
        page = keeper.post(f"/webhooks/{endpoint.pk}/off/", follow=True).content.decode()
    assert "switched off" in page and "Send a test" not in page
    keeper.post(f"/webhooks/{endpoint.pk}/on/")
    assert Endpoint.objects.get().active
    found = Entry.objects.filter(action__startswith="webhook.switched").order_by("pk")
    assert [entry.action for entry in found] == ["webhook.switched-off", "webhook.switched-on"]


def test_a_test_and_its_outcome_are_seen(cast: Cast, keeper: Client, web: FakeNetwork) -> None:
    web.serve("hooks.example.com", lambda request: said("418 Teapot"))
    endpoint = add(cast.administrator)
    page = keeper.post(f"/webhooks/{endpoint.pk}/test/", follow=True).content.decode()
    assert "A test is on its way" in page and "none yet" in page
    tell()
    page = keeper.get(f"/webhooks/{endpoint.pk}/").content.decode()
    assert "It answered 418." in page and "Send again" in page
    delivery = Delivery.objects.get()
    assert str(delivery.pk) in page
    page = keeper.post(f"/webhooks/{endpoint.pk}/deliveries/{delivery.pk}/again/", follow=True).content.decode()
    assert "It is sent again" in page
    assert keeper.get(f"/webhooks/{endpoint.pk}/?state=failed").content.decode().count("There is none.") == 1
    assert Entry.objects.filter(action="webhook.sent-again").count() == 1
    keeper.post(f"/webhooks/{endpoint.pk}/deliveries/{delivery.pk}/again/")
    assert Entry.objects.filter(action="webhook.sent-again").count() == 1, "it is on its way already"


def test_a_delivery_of_another_endpoint_is_not_there(cast: Cast, keeper: Client) -> None:
    first, second = add(cast.administrator), add(cast.administrator, name="board")
    delivery = actions.send_test(cast.administrator, first.pk)
    assert keeper.post(f"/webhooks/{second.pk}/deliveries/{delivery.pk}/again/").status_code == 404


def test_only_administrators_act(cast: Cast, web: FakeNetwork) -> None:
    endpoint = add(cast.administrator)
    values = actions.EndpointValues("other", URL)
    for who in (cast.curator, cast.architect, cast.member):
        for act in (
            lambda who: actions.create_endpoint(who, values),
            lambda who: actions.save_endpoint(who, endpoint.pk, values),
            lambda who: actions.rotate_secret(who, endpoint.pk),
            lambda who: actions.switch_endpoint(who, endpoint.pk, active=False),
            lambda who: actions.send_test(who, endpoint.pk),
        ):
            with pytest.raises(PermissionDenied):
                act(who)


def test_the_lists_ask_no_more_for_more(
    cast: Cast, world: Target, keeper: Client, web: FakeNetwork, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    web.serve("hooks.example.com", lambda request: said())
    endpoint = add(cast.administrator)
    pin(cast.curator)
    tell()
    address = f"/webhooks/{endpoint.pk}/"
    keeper.get(address)
    with CaptureQueriesContext(connection) as one:
        keeper.get(address)
    with CaptureQueriesContext(connection) as listed:
        keeper.get("/webhooks/")
    for condition in ("value < 4", "value > 2", "value < 4"):
        pin_others(cast.curator, condition)
        tell()
    for n in range(3):
        add(cast.administrator, cast.media, name=f"more {n}")
    with django_assert_num_queries(len(one)):
        assert keeper.get(address).content.decode().count("answered 200") == 4
    with django_assert_num_queries(len(listed)):
        keeper.get("/webhooks/")
