"""Fetching the page of a source, instead of uploading it. Off until an operator names hosts."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.matrices.models import Release, Source
from portability.outbound.errors import Refused
from portability.outbound.guard import Fetched, fetch
from portability.outbound.network import Network
from portability.outbound.rules import place_of
from portability.workloads.uploads import safe_name

NETWORK = Network()
PAGE = "page.html"
_ROOM = int(getattr(Release._meta.get_field("link"), "max_length", 0))


def may_fetch(url: str) -> bool:
    """Whether the host of an address is one that an operator named."""
    try:
        settings.FETCH_HOSTS.require(place_of(url))
    except Refused:
        return False
    return True


def fetch_page(url: str) -> Fetched:
    """Fetch a page from an allowed host. Raises OutboundError; takes up to 20 seconds."""
    return fetch(url, settings.FETCH_HOSTS, network=NETWORK)


def fetch_document(who: Person, source: Source, url: str = "") -> tuple[str, Fetched]:
    """Fetch the page of a source, or another address that a person gives for it: a file name, and what was fetched.

    It is read like an upload afterwards. Takes up to 20 seconds: call it outside a transaction. Raises OutboundError:
    one sentence that says what to do.
    """
    if not (who.curator or who.administrator):
        raise PermissionDenied("Only curators and administrators fetch documents.")
    fetched = fetch_page(url or source.url)
    if len(fetched.url) > _ROOM:
        raise Refused(f"{fetched.asked} redirects to an address of more than {_ROOM} characters: upload the page.")
    record(
        who,
        "source.fetched",
        source,
        asked=fetched.asked,
        url=fetched.url,
        bytes=len(fetched.content),
        digest=hashlib.sha256(fetched.content).hexdigest(),
    )
    return safe_name(urlsplit(fetched.url).path, PAGE), fetched
