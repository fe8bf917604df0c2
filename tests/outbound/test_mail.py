"""The mail server an operator names: read strictly, and its password never repeated."""

from __future__ import annotations

import pytest

from portability.outbound.mail import MailServer, mail_server
from portability.outbound.rules import public_url


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", MailServer()),
        ("smtp://mail.example.org", MailServer("mail.example.org", 25)),
        ("smtp://10.0.0.5:2525/", MailServer("10.0.0.5", 2525)),
        ("smtp+tls://ann:p%40ss%2F@mail", MailServer("mail", 587, "ann", "p@ss/", tls=True)),
        ("smtps://ann@mail.example.org", MailServer("mail.example.org", 465, "ann", ssl=True)),
    ],
    ids=["none", "plain", "port", "starttls", "tls"],
)
def test_a_server_is_read(text: str, read: MailServer) -> None:
    assert mail_server("SETTING", text) == read


@pytest.mark.parametrize(
    "text",
    [
        "mail.example.org:25",
        "http://ann:hidden@mail.example.org",
        "smtp://",
        "smtp://ann:hidden@mail.example.org:port",
        "smtp://ann:hidden@mail.example.org:99999",
        "smtp://ann:hidden@mail.example.org/inbox",
        "smtp://ann:hidden@mail.example.org?tls=1",
        "smtp://ann:hid/den@mail.example.org",
    ],
)
def test_anything_else_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(ValueError, match="SETTING is no mail server") as refused:
        mail_server("SETTING", text)
    assert "hid" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "https://register.example.org", "http://10.0.0.5:8000"])
def test_the_public_address_is_read_without_its_last_slash(text: str) -> None:
    assert public_url("SETTING", text) == text
    assert public_url("SETTING", f"{text}/" if text else "") == text


@pytest.mark.parametrize(
    "text", ["register.example.org", "ftp://a.example", "https://", "https://a.example/x", "https://a.example?x"]
)
def test_what_is_no_public_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="SETTING is no address"):
        public_url("SETTING", text)
