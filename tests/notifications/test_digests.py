"""The e-mail digest: one to a person, of all that moved since the last one, through a real mail server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from portability.accounts.models import Membership
from portability.notifications import digests
from portability.notifications.models import Subscription
from portability.refused import Refused
from portability.register.models import Bulletin, Movement
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.notifications.mail import MailServer, text_of
from tests.notifications.telling import Killed, ask, killed, make_due, pin, pin_others, tell
from tests.rules.custom import enable, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_digest_tells_of_the_own_teams_with_counts_reasons_and_links(
    cast: Cast, world: Target, mail: MailServer
) -> None:
    ask(cast.member)
    pin(cast.curator)
    tell()
    [message] = mail.messages
    assert (message["To"], message["From"]) == ("member@example.org", "Register <register@example.org>")
    assert message["Subject"] == "1 verdict moved: 1 from needs change to pinned"
    assert message["Auto-Submitted"] == "auto-generated"
    text = text_of(message)
    four = Workload.objects.get(name="four")
    assert "Search: 1 moved" in text and "  1  needs change → pinned" in text and "Media" not in text
    assert f"https://register.example.org/workloads/{four.pk}/?target=mi300x-single" in text
    assert "now: ORG001 (blocks): The second site has two nodes" in text
    assert "because: custom rule ORG001 was added" in text
    today = timezone.localdate().isoformat()
    assert f"https://register.example.org/register/moved/?team=search&since={today}" in text
    assert "https://register.example.org/notifications/" in text
    assert not message.is_multipart(), "plain text, and nothing that tells when it was read"


def test_all_teams_come_in_one_message(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.architect, whose="all")
    pin(cast.curator)
    tell()
    [message] = mail.messages
    text = text_of(message)
    assert "Media: 1 moved" in text and "Search: 1 moved" in text and message["Subject"].startswith("2 verdicts moved")


def test_runs_since_the_last_digest_come_in_one_message_and_only_once(
    cast: Cast, world: Target, mail: MailServer
) -> None:
    ask(cast.architect, whose="all")
    pin(cast.curator)
    pin_others(cast.curator, "value < 4")
    tell()
    assert len(mail.messages) == 1 and mail.messages[0]["Subject"].startswith("4 verdicts moved")
    tell()
    assert len(mail.messages) == 1, "told once"
    pin_others(cast.curator, "value > 2")
    tell()
    assert [m["Subject"].split(":")[0] for m in mail.messages] == ["4 verdicts moved", "2 verdicts moved"]
    assert mail.messages[0]["Message-ID"] != mail.messages[1]["Message-ID"]


def test_nothing_moved_is_no_mail(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    pin(cast.curator, condition="value == 3")
    tell()
    assert mail.messages == [], "only a workload of media moved"
    pin_others(cast.curator, "value == 9")
    tell()
    assert mail.messages == []
    assert Subscription.objects.get().told == digests.last_bulletin(), "and it is not looked at again"


def test_whoever_did_not_ask_ended_it_or_may_not_sign_in_gets_none(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    ask(cast.member, often="never")
    ask(cast.teammate)
    cast.teammate.is_active = False
    cast.teammate.save()
    pin(cast.curator)
    tell()
    assert mail.messages == []


def test_what_moved_before_somebody_asked_is_not_told(cast: Cast, world: Target, mail: MailServer) -> None:
    pin(cast.curator)
    tell()
    ask(cast.member)
    tell()
    assert mail.messages == []
    pin_others(cast.curator, "value == 2")
    tell()
    assert mail.messages[0]["Subject"].startswith("2 verdicts moved"), "two is pinned, four is not any more"


def test_the_team_left_behind_is_not_told_of(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    Membership.objects.filter(person=cast.member).update(team=cast.media)
    pin(cast.curator)
    tell()
    assert "Media: 1 moved" in text_of(mail.messages[0]) and "Search" not in text_of(mail.messages[0])


def test_a_long_list_is_counted_in_full_and_named_in_part(
    cast: Cast, world: Target, mail: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "LISTED", 1)
    ask(cast.architect, whose="all")
    pin(cast.curator, condition="value > 1")
    tell()
    text = text_of(mail.messages[0])
    assert "Search: 2 moved" in text and "and 1 more" in text and text.count("- four") + text.count("- two") == 1


def test_a_daily_digest_covers_what_moved_until_its_hour(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member, often="day", hour=7)
    pin(cast.curator)
    tell()
    Bulletin.objects.update(made_at=datetime(2026, 11, 20, 15, tzinfo=UTC))
    for day, hour, sent in ((20, 16, 0), (21, 6, 0), (21, 7, 1), (21, 8, 1), (22, 7, 1)):
        tell(datetime(2026, 11, day, hour, 30, tzinfo=UTC))
        assert len(mail.messages) == sent, (day, hour)


def test_the_hour_is_one_of_the_zone(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member, often="day", hour=7)
    pin(cast.curator)
    tell()
    Bulletin.objects.update(made_at=datetime(2026, 11, 20, 15, tzinfo=UTC))
    with timezone.override("Asia/Tokyo"):
        tell(datetime(2026, 11, 20, 21, 30, tzinfo=UTC))
        assert len(mail.messages) == 0
        tell(datetime(2026, 11, 20, 22, 30, tzinfo=UTC))  # 7:30 of the 21st
        assert len(mail.messages) == 1


def test_saves_are_told_with_the_next_run_or_day(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    ask(cast.teammate, often="day", hour=7)
    pin(cast.curator)
    Movement.objects.update(run=None)
    tell(timezone.now() + timedelta(days=1))
    assert mail.recipients == ["teammate@example.org"]
    pin_others(cast.curator, "value == 2")
    tell()
    assert mail.recipients == ["teammate@example.org", "member@example.org"]
    assert mail.messages[1]["Subject"].startswith("3 verdicts moved")


def test_while_a_run_goes_on_nothing_is_told(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    enable(cast.curator, effect="blocks")
    tell()
    assert mail.messages == []
    work()
    tell()
    assert len(mail.messages) == 1


def test_a_mail_server_that_is_away_is_tried_again_and_nothing_is_lost(
    cast: Cast, world: Target, mail: MailServer
) -> None:
    ask(cast.member)
    mail.close()
    pin(cast.curator)
    tell()
    waiting = Subscription.objects.get()
    assert (waiting.attempts, waiting.told) == (1, 0)
    assert waiting.error.startswith("The mail server cannot be reached")
    assert waiting.due_at is not None and waiting.due_at > timezone.now()
    tell()
    assert Subscription.objects.get().attempts == 1, "not before its time"
    mail.open()
    make_due()
    tell()
    assert len(mail.messages) == 1
    done = Subscription.objects.get()
    assert (done.attempts, done.error, done.due_at, done.told) == (0, "", None, digests.last_bulletin())


def test_while_the_mail_server_is_away_one_tries_and_not_all(cast: Cast, world: Target, mail: MailServer) -> None:
    for person in (cast.member, cast.teammate, cast.architect):
        ask(person, whose="all")
    mail.close()
    pin(cast.curator)
    tell()
    tell()
    assert sorted(Subscription.objects.values_list("attempts", flat=True)) == [0, 0, 1]
    mail.open()
    make_due()
    tell()
    assert len(mail.messages) == 3


def test_a_refused_address_keeps_nobody_else_waiting(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    ask(cast.teammate)
    mail.answers_once["RCPT"] = "550 No such user here"
    pin(cast.curator)
    tell()
    assert len(mail.messages) == 1


def test_a_refused_address_is_given_up_and_told_with_what_moves_next(
    cast: Cast, world: Target, mail: MailServer
) -> None:
    ask(cast.member)
    mail.answers["RCPT"] = "550 No such user here"
    pin(cast.curator)
    for _ in range(digests.ATTEMPTS + 3):
        make_due()
        tell()
    given_up = Subscription.objects.get()
    assert given_up.attempts == digests.ATTEMPTS, "not for ever"
    assert given_up.error == "The mail server answered 550: No such user here"
    mail.answers.clear()
    tell()
    assert mail.messages == []
    pin_others(cast.curator, "value == 2")
    make_due()
    tell()
    assert mail.messages[0]["Subject"].startswith("3 verdicts moved"), "with what was not told before"


def test_saving_the_settings_lets_a_digest_be_tried_again(cast: Cast, world: Target, mail: MailServer) -> None:
    ask(cast.member)
    mail.answers["RCPT"] = "550 No such user here"
    pin(cast.curator)
    tell()
    mail.answers.clear()
    ask(cast.member, email="member@other.example.org")
    tell()
    assert mail.messages[0]["To"] == "member@other.example.org"


def test_pauses_double_up_to_a_limit_and_last_about_a_day() -> None:
    pauses = [digests.pause(n) for n in range(1, digests.ATTEMPTS)]
    assert pauses[:3] == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4)]
    assert max(pauses) <= digests.LONGEST_PAUSE
    assert timedelta(hours=18) < sum(pauses, timedelta()) < timedelta(hours=30)


def test_a_worker_stopped_while_it_sends_leaves_it_to_be_sent_again_under_its_name(
    cast: Cast, world: Target, mail: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(cast.member)
    pin(cast.curator)
    with monkeypatch.context() as patch:
        patch.setattr(digests, "_keep", killed)
        with pytest.raises(Killed):
            tell()
    tell()
    assert len(mail.messages) == 1, "its worker may still be at it"
    Subscription.objects.update(claimed_at=timezone.now() - digests.SILENT_AFTER - timedelta(seconds=1))
    tell()
    assert len({m["Message-ID"] for m in mail.messages}) == 1 and len(mail.messages) == 2
    tell()
    assert len(mail.messages) == 2


def test_without_a_mail_server_nobody_can_ask(cast: Cast, world: Target) -> None:
    with pytest.raises(Refused, match="PORTABILITY_EMAIL_URL"):
        ask(cast.member)
    Subscription.objects.create(person=cast.member, often="run")
    pin(cast.curator)
    tell()
    assert Subscription.objects.get().attempts == 0
