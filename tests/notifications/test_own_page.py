"""A person's own page: off by default, checked, and honest about what cannot be sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.notifications.models import Subscription
from portability.targets.models import Target
from tests.conftest import Cast
from tests.notifications.mail import MailServer
from tests.notifications.telling import pin, tell

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
PAGE = "/notifications/"
ASKED = {"often": "run", "whose": "all", "hour": "9", "email": "viewer@example.org"}


def test_it_is_off_until_somebody_asks(cast: Cast, mail: MailServer, reader: Client) -> None:
    page = reader.get(PAGE).content.decode()
    assert '<input type="radio" name="often" value="never" id="id_often_0" checked>' in page.replace(" required", "")
    assert f'<a class="who" href="{PAGE}">viewer' in reader.get("/register/").content.decode(), "behind one's name"
    assert not Subscription.objects.exists(), "looking stores nothing"


def test_asking_keeps_it_with_the_address_and_an_audit_entry(cast: Cast, mail: MailServer, reader: Client) -> None:
    answer = reader.post(PAGE, ASKED, follow=True)
    assert answer.redirect_chain and "Saved." in answer.content.decode()
    kept = Subscription.objects.get()
    assert (kept.person.username, kept.often, kept.whose, kept.hour) == ("viewer", "run", "all", 9)
    assert Person.objects.get(username="viewer").email == "viewer@example.org"
    entry = Entry.objects.get(action="digest.asked-for")
    assert entry.details == {"often": "run", "whose": "all", "hour": 9, "address_changed": True}
    reader.post(PAGE, ASKED)
    assert Subscription.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"email": ""}, "A digest needs an address to go to."),
        ({"email": "nobody"}, "Enter a valid email address."),
        ({"email": "a@b.example\r\nBcc: c@d.example"}, "Enter a valid email address."),
        ({"often": "always"}, "is not one of the available choices"),
        ({"whose": "theirs"}, "is not one of the available choices"),
        ({"hour": "24"}, "is not one of the available choices"),
    ],
    ids=["no address", "no address at all", "header", "often", "whose", "hour"],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(
    cast: Cast, mail: MailServer, reader: Client, change: dict[str, str], words: str
) -> None:
    answer = reader.post(PAGE, ASKED | change)
    assert answer.status_code == 422 and words in answer.content.decode()
    assert not Subscription.objects.exists()
    assert Person.objects.get(username="viewer").email == ""


def test_without_a_mail_server_the_page_says_so(cast: Cast, reader: Client) -> None:
    assert "PORTABILITY_EMAIL_URL" in reader.get(PAGE).content.decode()
    answer = reader.post(PAGE, ASKED)
    assert answer.status_code == 422 and "no digest can be sent" in answer.content.decode()
    off = reader.post(PAGE, ASKED | {"often": "never"}, follow=True).content.decode()
    assert "Saved." in off, "an address can be kept, and a digest ended"


def test_what_went_wrong_is_told_to_the_person_and_to_administrators(
    cast: Cast, world: Target, mail: MailServer, client_of: ClientOf
) -> None:
    viewer, administrator = client_of(cast.viewer), client_of(cast.administrator)
    viewer.post(PAGE, ASKED)
    mail.answers["RCPT"] = "550 No such user here"
    pin(cast.curator)
    tell()
    page = viewer.get(PAGE).content.decode()
    assert "could not be sent yet, after 1 attempt; it is tried again" in page and "No such user here" in page
    seen = administrator.get("/webhooks/").content.decode()
    assert ">viewer</a>" in seen and "No such user here" in seen
    Subscription.objects.update(attempts=12)
    assert "given up after 12 attempts" in viewer.get(PAGE).content.decode()
    assert "12, given up" in administrator.get("/webhooks/").content.decode()
    mail.answers.clear()
    viewer.post(PAGE, ASKED)
    tell()
    assert "The last digest went out" in viewer.get(PAGE).content.decode()
    assert "every e-mail digest that was due went out" in administrator.get("/webhooks/").content.decode()


def test_the_hour_is_said_in_its_zone(cast: Cast, mail: MailServer, reader: Client) -> None:
    assert f"in this zone: {timezone.get_current_timezone_name()}." in reader.get(PAGE).content.decode()
