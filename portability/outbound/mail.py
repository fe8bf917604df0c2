"""The mail server that an operator names: read strictly, so that a slip is told at the start and not by lost mail."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over. `tls`: encrypted after a greeting in the clear (STARTTLS); `ssl`: from the start."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    tls: bool = False
    ssl: bool = False


def mail_server(setting: str, text: str) -> MailServer:
    """Read `smtp+tls://user:password@mail.example.org:587`; letters with a meaning in addresses as %-codes.

    Without a text there is no server. Raises ValueError, which never repeats the password.
    """
    if not text:
        return MailServer()
    wrong = ValueError(
        f"{setting} is no mail server such as smtp+tls://user:password@mail.example.org:587; it begins with smtp://,"
        " smtp+tls:// or smtps://, and ends with the host or its port"
    )
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _PORTS or not host or parts.path.strip("/") or parts.query or parts.fragment:
        raise wrong
    return MailServer(
        host=host,
        port=port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        tls=parts.scheme == "smtp+tls",
        ssl=parts.scheme == "smtps",
    )
