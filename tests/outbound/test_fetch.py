"""Fetching a document: from allowed hosts at public addresses, on every redirect again, within limits."""

from __future__ import annotations

import gzip
import socket
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from itertools import repeat

import pytest

from portability.outbound.errors import Failed, OutboundError, Refused
from portability.outbound.guard import Fetched, fetch
from portability.outbound.network import Network
from portability.outbound.rules import Allowed, Limits, allowed_hosts
from tests.outbound.servers import OTHER, PUBLIC, Answer, FakeNetwork, moved, said

HOST, SECOND = "docs.example.com", "new.example.com"
ALLOWED = allowed_hosts("PORTABILITY_FETCH_HOSTS", f"{HOST},{SECOND}")
URL = f"https://{HOST}/page"
PAGE = b"<!doctype html><p>A page.</p>"


def get(network: Network, url: str = URL, allowed: Allowed = ALLOWED, **limits: float) -> Fetched:
    """Fetch within limits that a test can wait for."""
    return fetch(url, allowed, limits=Limits(**{"seconds": 5, **limits}), network=network)  # type: ignore[arg-type]


def answering(*answers: tuple[str, Answer]) -> Answer:
    """Answers by path."""
    by_path = dict(answers)

    def answer(request: str) -> Iterator[bytes]:
        return by_path[request.split(" ")[1]](request)

    return answer


def page(request: str) -> Iterator[bytes]:
    """The page."""
    return said("200 OK", PAGE, kind="text/html; charset=utf-8")


def test_a_document_comes_with_its_bytes_type_and_address(network: FakeNetwork) -> None:
    server = network.serve(HOST, page)
    assert get(network, f"{URL}?v=1#part") == Fetched(PAGE, "text/html", f"{URL}?v=1", f"{URL}?v=1")
    (request,) = server.requests
    assert request.startswith("GET /page?v=1 HTTP/1.1\r\n")
    assert f"Host: {HOST}\r\n" in request
    assert "cookie" not in request.lower()
    assert network.opened == [PUBLIC]


def test_nothing_is_looked_up_or_opened_while_no_host_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*args: object, **options: object) -> None:
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "getaddrinfo", opened)
    monkeypatch.setattr(socket, "socket", opened)
    for allowed in (Allowed("PORTABILITY_FETCH_HOSTS"), allowed_hosts("PORTABILITY_FETCH_HOSTS", "other.example.com")):
        with pytest.raises(Refused, match="PORTABILITY_FETCH_HOSTS"):
            fetch(URL, allowed)


def test_the_machines_own_resolver_is_asked_and_its_loopback_answer_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def own(host: str, port: int, **options: object) -> list[object]:
        assert (host, port) == (HOST, 443)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]

    def opened(*args: object, **options: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket, "getaddrinfo", own)
    monkeypatch.setattr(socket, "create_connection", opened)
    with pytest.raises(Refused, match=r"docs\.example\.com leads to 127\.0\.0\.1, which is no public address"):
        fetch(URL, ALLOWED)


def test_a_resolver_that_does_not_answer_takes_no_longer_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*args: object, **options: object) -> list[object]:
        time.sleep(3)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", silent)
    started = time.monotonic()
    with pytest.raises(Failed, match=r"took longer than 0\.2 seconds"):
        fetch(URL, ALLOWED, limits=Limits(seconds=0.2))
    assert time.monotonic() - started < 2


def test_proxies_of_the_environment_are_not_used(network: FakeNetwork, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    network.serve(HOST, page)
    assert get(network).content == PAGE


@pytest.mark.parametrize(
    "own", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"]
)
def test_one_address_that_is_not_public_refuses_the_name(network: FakeNetwork, own: str) -> None:
    network.serve(HOST, page)
    network.names[HOST] = [[PUBLIC, own]]
    with pytest.raises(Refused, match="no public address"):
        get(network)
    assert network.opened == []


def test_a_name_that_changes_its_address_is_held_to_the_one_that_was_checked(network: FakeNetwork) -> None:
    """DNS rebinding: the second look-up would lead to this machine, and is never made."""
    network.serve(HOST, page)
    network.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    assert get(network).content == PAGE
    assert (network.asked, network.opened) == ([HOST], [PUBLIC])


def test_a_name_is_checked_anew_on_a_redirect_to_itself(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: moved("/other"))
    network.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    with pytest.raises(Refused, match=r"leads to 127\.0\.0\.1"):
        get(network)
    assert network.opened == [PUBLIC]


def test_the_next_address_is_tried_where_one_does_not_answer(network: FakeNetwork) -> None:
    network.serve(HOST, page)
    network.names[HOST] = [[OTHER, PUBLIC]]
    assert get(network).content == PAGE
    assert network.opened == [OTHER, PUBLIC]


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_to_an_allowed_host_is_followed_and_told(network: FakeNetwork, status: str) -> None:
    network.serve(HOST, lambda request: moved(f"https://{SECOND}/there", status))
    network.serve(SECOND, page, address=OTHER)
    found = get(network)
    assert (found.content, found.asked, found.url, found.redirected) == (PAGE, URL, f"https://{SECOND}/there", True)
    assert network.opened == [PUBLIC, OTHER]


def test_a_relative_redirect_is_followed(network: FakeNetwork) -> None:
    network.serve(HOST, answering(("/page", lambda request: moved("../en/page?x=1")), ("/en/page?x=1", page)))
    assert get(network).url == f"https://{HOST}/en/page?x=1"


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("https://127.0.0.1/", "full name"),
        ("https://[::1]/", "full name"),
        ("https://localhost/", "full name"),
        ("https://2130706433/", "full name"),
        ("https://evil.example.net/", r"evil\.example\.net is not allowed"),
        (f"https://{HOST}:8443/", f"{HOST}:8443 is not allowed"),
        ("//evil.example.net/", r"evil\.example\.net is not allowed"),
        (f"http://{HOST}/page", "begins with https://"),
        ("file:///etc/passwd", "begins with https://"),
        ("javascript:alert(1)", "begins with https://"),
        (f"https://a:b@{SECOND}/", "names a user"),
        ("https://[::1/", "no web address"),
        ("/a b", "characters that no address has"),
        ("https://döcs.example.com/", "characters that no address has"),
    ],
)
def test_a_redirect_is_held_to_the_same_rules(network: FakeNetwork, location: str, words: str) -> None:
    network.serve(HOST, lambda request: moved(location))
    with pytest.raises(Refused, match=words):
        get(network)
    assert (network.asked, network.opened) == ([HOST], [PUBLIC])


def test_a_redirect_to_a_host_at_a_private_address_is_refused(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: moved(f"https://{SECOND}/"))
    network.names[SECOND] = [["192.168.0.10"]]
    with pytest.raises(Refused, match=r"new\.example\.com leads to 192\.168\.0\.10"):
        get(network)
    assert network.opened == [PUBLIC]


def test_five_redirects_are_followed_and_no_sixth(network: FakeNetwork) -> None:
    def onward(request: str) -> Iterator[bytes]:
        left = int(request.split(" ")[1].strip("/"))
        return moved(f"/{left - 1}") if left else page(request)

    server = network.serve(HOST, onward)
    assert get(network, f"https://{HOST}/5").content == PAGE
    server.requests.clear()
    with pytest.raises(Failed, match="redirects more than 5 times"):
        get(network, f"https://{HOST}/6")
    assert len(server.requests) == 6


def test_a_circle_of_redirects_is_said(network: FakeNetwork) -> None:
    network.serve(HOST, answering(("/page", lambda r: moved("/other")), ("/other", lambda r: moved("/page"))))
    with pytest.raises(Failed, match="in a circle"):
        get(network)


def test_a_redirect_without_address_is_said(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: said("302 Found"))
    with pytest.raises(Failed, match="without saying where to"):
        get(network)


def drip(head: bytes, pieces: Iterator[bytes]) -> Answer:
    """An answer that never stops, a piece each tenth of a second."""

    def answer(request: str) -> Iterator[bytes]:
        yield head
        for piece in pieces:
            time.sleep(0.1)
            yield piece

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        drip(b"HTTP/1.1 200 OK\r\n", repeat(b"a")),
        drip(b"", repeat(b"HTTP/1.1 102 Processing\r\n\r\n")),
        drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n", repeat(b"a")),
        drip(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n", repeat(b"1\r\na\r\n")
        ),
        drip(b"", repeat(b"")),
    ],
    ids=["head", "informational", "body", "chunks", "silence"],
)
def test_a_slow_answer_takes_no_longer_than_the_limit(network: FakeNetwork, answer: Answer) -> None:
    network.serve(HOST, answer)
    started = time.monotonic()
    with pytest.raises(Failed, match="took longer than 1 seconds: try again later"):
        get(network, seconds=1)
    assert time.monotonic() - started < 3


def test_redirects_share_one_limit_of_time(network: FakeNetwork) -> None:
    def slowly(request: str) -> Iterator[bytes]:
        time.sleep(0.4)
        return moved(f"{request.split(' ')[1]}x")

    network.serve(HOST, slowly)
    with pytest.raises(Failed, match="took longer"):
        get(network, seconds=1)


def test_a_handshake_that_does_not_come_takes_no_longer_than_the_limit(network: FakeNetwork) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        network.names[HOST], network.ports[PUBLIC] = [[PUBLIC]], silent.getsockname()[1]
        started = time.monotonic()
        with pytest.raises(Failed, match="took longer"):
            get(network, seconds=0.5)
        assert time.monotonic() - started < 2


def test_endless_headers_are_not_read_on(network: FakeNetwork) -> None:
    def endless(request: str) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        yield from repeat(b"X-More: " + b"a" * 8000 + b"\r\n", 200)

    network.serve(HOST, endless)
    with pytest.raises(Failed, match="does not answer in HTTP as it should"):
        get(network)


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_longer_than_the_limit_is_refused(network: FakeNetwork, declared: bool) -> None:
    def long(request: str) -> Iterator[bytes]:
        length = "Content-Length: 1000001\r\n" if declared else ""
        yield f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{length}\r\n".encode()
        yield b"a" * 1_000_001

    network.serve(HOST, long)
    with pytest.raises(Refused, match="longer than 1,000,000 bytes"):
        get(network, size=1_000_000)


def test_a_body_that_is_said_to_be_longer_is_not_waited_for(network: FakeNetwork) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000001\r\n\r\n"
    network.serve(HOST, drip(head, repeat(b"")))
    with pytest.raises(Refused, match="longer than 1,000,000 bytes"):
        get(network, size=1_000_000, seconds=2)


def test_a_body_as_long_as_the_limit_is_taken(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: said("200 OK", b"a" * 100_000))
    assert len(get(network, size=100_000).content) == 100_000


def packed(body: bytes, name: str = "gzip") -> Answer:
    """A page that says how it is packed."""
    return lambda request: said("200 OK", body, f"Content-Encoding: {name}")


def test_a_packed_page_is_unpacked(network: FakeNetwork) -> None:
    network.serve(HOST, packed(gzip.compress(PAGE)))
    assert get(network).content == PAGE


def test_a_small_page_that_unpacks_to_a_huge_one_is_refused(network: FakeNetwork) -> None:
    bomb = zlib.compressobj(9, wbits=31)
    body = b"".join(bomb.compress(b"\0" * 1_000_000) for _ in range(200)) + bomb.flush()
    assert len(body) < 250_000
    network.serve(HOST, packed(body))
    tracemalloc.start()
    with pytest.raises(Refused, match="longer than 5,000,000 bytes"):
        get(network)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize(
    "body", [b"no gzip", gzip.compress(PAGE)[:-4], gzip.compress(PAGE) + b"more"], ids=["no gzip", "cut", "more behind"]
)
def test_a_page_that_is_not_packed_as_it_says_is_told(network: FakeNetwork, body: bytes) -> None:
    network.serve(HOST, packed(body))
    with pytest.raises(Failed, match="not packed as it says"):
        get(network)


def test_another_packing_is_refused(network: FakeNetwork) -> None:
    network.serve(HOST, packed(b"", "br"))
    with pytest.raises(Refused, match="packed as “br”"):
        get(network)


@pytest.mark.parametrize("kind", ["text/html", "text/plain; charset=utf-8", "Text/Markdown", "application/xhtml+xml"])
def test_texts_are_taken(network: FakeNetwork, kind: str) -> None:
    network.serve(HOST, lambda request: said("200 OK", PAGE, kind=kind))
    assert get(network).content == PAGE


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/octet-stream", ""])
def test_what_is_no_text_is_refused(network: FakeNetwork, kind: str) -> None:
    network.serve(HOST, lambda request: said("200 OK", PAGE, kind=kind))
    with pytest.raises(Refused, match="only texts are read"):
        get(network)


@pytest.mark.parametrize("status", ["204 No Content", "206 Partial", "304 Not Modified", "404 Not Found", "500 Error"])
def test_another_status_is_told(network: FakeNetwork, status: str) -> None:
    network.serve(HOST, lambda request: iter([f"HTTP/1.1 {status}\r\n\r\n".encode()]))
    with pytest.raises(Failed, match=f"{URL} answers {status[:3]}"):
        get(network)


def test_a_page_that_breaks_off_is_told(network: FakeNetwork) -> None:
    network.serve(
        HOST, lambda request: iter([b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\na"])
    )
    with pytest.raises(Failed, match="does not answer in HTTP as it should"):
        get(network)


def test_a_server_that_speaks_no_http_is_told(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: iter([b"220 mail.example.com ESMTP\r\n\r\n"]))
    with pytest.raises(Failed, match="does not answer in HTTP as it should"):
        get(network)


def test_a_certificate_for_another_name_is_not_trusted(network: FakeNetwork) -> None:
    server = network.serve(HOST, page, certified="other.example.com")
    with pytest.raises(Failed, match=r"The certificate of docs\.example\.com cannot be trusted"):
        get(network)
    assert server.requests == []


def test_a_certificate_of_an_unknown_authority_is_not_trusted(
    network: FakeNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = network.serve(HOST, page)
    monkeypatch.setattr(network, "tls", Network().tls)
    with pytest.raises(Failed, match="cannot be trusted"):
        get(network)
    assert server.requests == []


def test_a_name_that_is_not_known_and_a_port_that_nobody_listens_on_are_told(network: FakeNetwork) -> None:
    with pytest.raises(Failed, match=r"The name docs\.example\.com is not known: check its spelling"):
        get(network)
    network.names[HOST] = [[PUBLIC]]
    with pytest.raises(Failed, match=r"docs\.example\.com cannot be reached .*: try again later"):
        get(network)
    network.names[HOST] = [[]]
    with pytest.raises(Failed, match="has no address"):
        get(network)


def test_what_is_said_fits_one_line(network: FakeNetwork) -> None:
    network.serve(HOST, lambda request: moved("https://evil.example.net/" + "a" * 1000))
    with pytest.raises(OutboundError) as told:
        get(network)
    assert "\n" not in str(told.value)
