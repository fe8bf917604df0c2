"""Where connections may go and what they may take: hosts from a setting, web addresses read strictly, limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from portability.outbound.errors import Refused

HTTPS_PORT = 443
LIMIT_URL = 2000  # characters
_VISIBLE = re.compile(r"[!-~]+")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z)(?:{_LABEL}\.)+[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?")  # the last is no number
_ENTRY = re.compile(r"(?P<host>[^:]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one exchange may take: seconds from the first look-up to the last byte, bytes once unpacked, redirects."""

    seconds: float = 20
    size: int = 5_000_000
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A web address that was read strictly; always https. `target`: path and query."""

    host: str
    port: int
    target: str

    @property
    def url(self) -> str:
        """The address as one text."""
        port = "" if self.port == HTTPS_PORT else f":{self.port}"
        return f"https://{self.host}{port}{self.target}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """The hosts, with their ports, that a setting names. None: nothing is opened."""

    setting: str
    places: frozenset[tuple[str, int]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.places)

    def require(self, place: Place) -> None:
        """Raise Refused unless the host is named with this port."""
        if not self:
            raise Refused(f"Connections are off: an operator turns them on by naming hosts in {self.setting}.")
        if (place.host, place.port) not in self.places:
            name = place.host if place.port == HTTPS_PORT else f"{place.host}:{place.port}"
            raise Refused(f"{name} is not allowed: an operator adds it to {self.setting}, or choose another address.")


def allowed_hosts(setting: str, text: str) -> Allowed:
    """The hosts of a setting such as `docs.vllm.ai,pages.example.org:8443`. Raises ValueError: which entry is none."""
    places = set()
    for entry in filter(None, (part.strip().lower() for part in text.split(","))):
        found = _ENTRY.fullmatch(entry)
        port = int(found["port"] or HTTPS_PORT) if found else 0
        if not found or not _NAME.fullmatch(found["host"]) or not 0 < port < 65536:
            raise ValueError(
                f"{setting}: “{entry}” is no host name such as docs.example.org or docs.example.org:8443;"
                " write it without https://, path, * or number of an address"
            )
        places.add((found["host"], port))
    return Allowed(setting, frozenset(places))


def public_url(setting: str, text: str) -> str:
    """The address that people open the product by, without a slash at its end. Raises ValueError for anything else."""
    found = text.rstrip("/")
    parts = urlsplit(found)
    is_origin = parts.scheme in ("https", "http") and parts.hostname and parts.netloc == found.partition("//")[2]
    if found and not is_origin:
        raise ValueError(f"{setting} is no address such as https://register.example.org; write it without a path")
    return found


def place_of(url: str) -> Place:
    """Read a web address. Raises Refused for all that two readers could read in two ways, and for all but https."""
    shown = f"“{url[:120]}”"
    if len(url) > LIMIT_URL:
        raise Refused(f"{shown}… is longer than {LIMIT_URL} characters: give a shorter address.")
    if not _VISIBLE.fullmatch(url) or "\\" in url:
        raise Refused(
            f"{shown} holds characters that no address has: write the host as xn--… and other letters as %-codes."
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refused(f"{shown} is no web address: give one such as https://docs.example.org/page.") from None
    if parts.scheme != "https":
        raise Refused(f"{shown} is not encrypted: give an address that begins with https://.")
    if "@" in parts.netloc:
        raise Refused(f"The address of {host or shown} names a user before the host: leave the user and the @ out.")
    if not _NAME.fullmatch(host):
        raise Refused(f"{shown} names no host by its full name: give one such as https://docs.example.org/page.")
    query = f"?{parts.query}" if parts.query else ""
    return Place(host, HTTPS_PORT if port is None else port, (parts.path or "/") + query)
