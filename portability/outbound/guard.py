"""Fetching a document and posting a message, through checked connections only."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urljoin

import httpcore

from portability import __version__
from portability.outbound.errors import Failed, RedirectRefused, Refused
from portability.outbound.network import CheckedBackend, Deadline, Network
from portability.outbound.rules import LIMIT_URL, Allowed, Limits, Place, place_of

AGENT = f"portability-register/{__version__}"
TEXT_TYPES = frozenset({"application/xhtml+xml", "application/x-rst"})  # and text/*
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document: its bytes unpacked, its type without parameters, the address asked for and the one it came from."""

    content: bytes
    content_type: str
    asked: str
    url: str

    @property
    def redirected(self) -> bool:
        """Whether it came from another address than the one asked for."""
        return self.asked != self.url


def fetch(url: str, allowed: Allowed, *, limits: Limits | None = None, network: Network | None = None) -> Fetched:
    """GET a text document. Each redirect is held to the same rules as the first address.

    Raises Refused or Failed; where no host is allowed, before anything is looked up or opened.
    """
    limits = limits or Limits()
    network = network or Network()
    place = place_of(url)
    allowed.require(place)
    deadline = Deadline(place.host, limits.seconds)
    headers = {"User-Agent": AGENT, "Accept": "text/*, application/xhtml+xml", "Accept-Encoding": "gzip"}
    been = [place]
    while True:
        with _exchange("GET", place, headers, b"", deadline, network) as response:
            if response.status not in _REDIRECTS:
                return _document(been[0], place, response, limits)
            place = _next(place, response)
        if place in been:
            raise Failed(f"{been[0].host} redirects in a circle: open {been[0].url} in a browser.")
        if len(been) > limits.redirects:
            raise Failed(f"{been[0].host} redirects more than {limits.redirects} times: give the final address.")
        try:
            allowed.require(place)
        except Refused as refused:
            message = f"{been[-1].url} redirects to {place.url}, and {refused}"
            raise RedirectRefused(message, place.url) from None
        been.append(place)


def post(
    url: str,
    body: bytes,
    allowed: Allowed,
    *,
    headers: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    network: Network | None = None,
) -> int:
    """POST a message; the status that was answered. A redirect is an answer like any other and is not followed.

    Raises Refused or Failed; where no host is allowed, before anything is looked up or opened.
    """
    place = place_of(url)
    allowed.require(place)
    deadline = Deadline(place.host, (limits or Limits()).seconds)
    sent = {"User-Agent": AGENT, "Content-Length": str(len(body)), **(headers or {})}
    with _exchange("POST", place, sent, body, deadline, network or Network()) as response:
        return response.status


@contextmanager
def _exchange(
    method: str, place: Place, headers: Mapping[str, str], body: bytes, deadline: Deadline, network: Network
) -> Iterator[httpcore.Response]:
    """One request on a connection of its own. What goes wrong, in reading the answer too, is said as Failed."""
    host, target = place.host.encode(), place.target.encode()
    connection = httpcore.HTTPConnection(
        httpcore.Origin(b"https", host, place.port),
        ssl_context=network.tls(),
        network_backend=CheckedBackend(network, deadline),
    )
    url = httpcore.URL(scheme=b"https", host=host, port=place.port, target=target)
    try:
        with connection, connection.stream(method, url, headers=[*headers.items()], content=body) as response:
            yield response
    except httpcore.TimeoutException:
        raise deadline.passed() from None
    except httpcore.NetworkError as error:
        raise Failed(_broken(place.host, error)) from None
    except httpcore.ProtocolError as error:
        raise Failed(f"{place.host} does not answer in HTTP as it should ({error}): try again later.") from None


def _broken(host: str, error: httpcore.NetworkError) -> str:
    cause = error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"The certificate of {host} cannot be trusted ({cause.verify_message}): nothing was exchanged with it."
    if isinstance(cause, ssl.SSLError):
        return f"No encrypted connection to {host} comes about ({cause.reason or cause}): try again later."
    why = getattr(cause, "strerror", None) or "the connection broke off"
    return f"{host} cannot be reached ({why}): try again later."


def _next(place: Place, response: httpcore.Response) -> Place:
    """Where a redirect leads."""
    location = _header(response, b"location")
    if not location:
        raise Failed(f"{place.host} redirects without saying where to: open {place.url} in a browser.")
    try:
        return place_of(urljoin(place.url, location))
    except ValueError:
        raise Refused(f"{place.url} redirects to “{location[:120]}”, which is no web address.") from None
    except Refused as refused:
        message = f"{place.url} redirects elsewhere, and there: {refused}"
        raise RedirectRefused(message, location[:LIMIT_URL]) from None


def _document(asked: Place, place: Place, response: httpcore.Response, limits: Limits) -> Fetched:
    if response.status != 200:
        raise Failed(f"{place.url} answers {response.status}: open it in a browser and check the address.")
    content_type = _header(response, b"content-type").partition(";")[0].strip().lower()
    if not content_type.startswith("text/") and content_type not in TEXT_TYPES:
        kind = f"is {content_type[:60]}" if content_type else "does not say what it is"
        raise Refused(f"{place.url} {kind}: only texts are read, such as HTML, reStructuredText or Markdown.")
    content = b"".join(_pieces(place, response, limits.size))
    return Fetched(content, content_type, asked.url, place.url)


def _pieces(place: Place, response: httpcore.Response, limit: int) -> Iterator[bytes]:
    """The body, unpacked no further than the limit."""
    packing = _header(response, b"content-encoding").strip().lower()
    if packing not in ("", "identity", "gzip"):
        raise Refused(f"{place.url} is packed as “{packing[:40]}”: only gzip is unpacked.")
    too_long = Refused(f"{place.url} is longer than {limit:,} bytes: save the part that is to be read, and upload it.")
    declared = _header(response, b"content-length")
    if declared.isdecimal() and int(declared[:20]) > limit:
        raise too_long
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16) if packing == "gzip" else None
    sent = size = 0
    for chunk in response.iter_stream():
        try:
            piece = unpack.decompress(chunk, limit - size + 1) if unpack else chunk
        except zlib.error:
            raise Failed(f"{place.url} is not packed as it says: try again later.") from None
        sent, size = sent + len(chunk), size + len(piece)
        if max(sent, size) > limit:
            raise too_long
        yield piece
    if unpack and (not unpack.eof or unpack.unused_data):
        raise Failed(f"{place.url} is not packed as it says: try again later.")


def _header(response: httpcore.Response, name: bytes) -> str:
    values = (value for key, value in response.headers if key.lower() == name)
    return next(values, b"").decode("latin-1")
