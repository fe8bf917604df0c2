"""What a setting names, and how an address is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import text

from portability.outbound.errors import Refused
from portability.outbound.rules import Allowed, Place, allowed_hosts, place_of

SETTING = "PORTABILITY_FETCH_HOSTS"


def test_hosts_come_with_port_443_unless_another_is_named() -> None:
    allowed = allowed_hosts(SETTING, " docs.vllm.ai, Pages.Example.org:8443,")
    assert allowed.places == {("docs.vllm.ai", 443), ("pages.example.org", 8443)}


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_an_empty_setting_allows_nothing(text: str) -> None:
    allowed = allowed_hosts(SETTING, text)
    assert not allowed
    with pytest.raises(Refused, match="Connections are off: an operator turns them on by naming hosts in PORTABILITY"):
        allowed.require(place_of("https://docs.vllm.ai/"))


@pytest.mark.parametrize(
    "entry",
    [
        *("https://docs.vllm.ai", "docs.vllm.ai/en", "*.vllm.ai", "*", "localhost", "127.0.0.1", "[::1]", "::1"),
        *(
            "2130706433",
            "0x7f.1",
            "docs.vllm.ai:",
            "docs.vllm.ai:0",
            "docs.vllm.ai:65536",
            "a@b.example",
            "a b.example",
        ),
        *("döcs.example", "-a.example", "docs..example", "docs.example."),
    ],
)
def test_an_entry_that_is_no_host_name_is_said_with_the_setting(entry: str) -> None:
    with pytest.raises(ValueError, match=SETTING):
        allowed_hosts(SETTING, f"docs.vllm.ai,{entry}")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://docs.vllm.ai/en/stable/?a=b#top", Place("docs.vllm.ai", 443, "/en/stable/?a=b")),
        ("HTTPS://Docs.vLLM.ai", Place("docs.vllm.ai", 443, "/")),
        ("https://pages.example.org:8443/a%20b", Place("pages.example.org", 8443, "/a%20b")),
        ("https://xn--dcs-sna.example.org/", Place("xn--dcs-sna.example.org", 443, "/")),
    ],
)
def test_an_address_is_read(url: str, place: Place) -> None:
    assert place_of(url) == place


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://docs.vllm.ai/", "begins with https://"),
        ("ftp://docs.vllm.ai/", "begins with https://"),
        ("file:///etc/passwd", "begins with https://"),
        ("//docs.vllm.ai/", "begins with https://"),
        ("https://someone:secret@docs.vllm.ai/", "names a user"),
        ("https://docs.vllm.ai@127.0.0.1/", "names a user"),
        ("https://@docs.vllm.ai/", "names a user"),
        ("https://docs.vllm.ai\\@127.0.0.1/", "characters that no address has"),
        ("https://docs.vllm.ai/\r\nHost: other.example", "characters that no address has"),
        ("https://docs.vllm.ai/a b", "characters that no address has"),
        ("https://döcs.example.org/", "write the host as xn--"),
        ("https://ｄocs.vllm.ai/", "write the host as xn--"),
        ("https://docs。vllm。ai/", "write the host as xn--"),
        ("https://docs.vllm.ai:port/", "no web address"),
        ("https://docs.vllm.ai:99999/", "no web address"),
        ("https://[::1/", "no web address"),
        ("https://[::1]/", "full name"),
        ("https://[::ffff:127.0.0.1]/", "full name"),
        ("https://[fe80::1%25eth0]/", "full name"),
        ("https://127.0.0.1/", "full name"),
        ("https://2130706433/", "full name"),
        ("https://0177.0.0.1/", "full name"),
        ("https://0x7f.0x0.0x0.0x1/", "full name"),
        ("https://127.1/", "full name"),
        ("https://localhost/", "full name"),
        ("https://docs.vllm.ai./", "full name"),
        ("https://docs%2evllm.ai/", "full name"),
        ("https:///docs.vllm.ai/", "full name"),
        ("https://docs.vllm.ai/" + "a" * 2000, "longer than 2000"),
        ("", "characters"),
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_refused(url: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        place_of(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["https://docs.vllm.ai:80/", "https://docs.vllm.ai:0/", "https://vllm.ai/"])
def test_only_the_named_host_and_port_are_allowed(url: str) -> None:
    allowed = allowed_hosts(SETTING, "docs.vllm.ai")
    allowed.require(place_of("https://docs.vllm.ai:443/"))
    with pytest.raises(Refused, match="is not allowed: an operator adds it to PORTABILITY_FETCH_HOSTS"):
        allowed.require(place_of(url))


@given(text())
def test_any_text_is_read_or_refused(words: str) -> None:
    for url in (words, f"https://{words}", f"https://docs.vllm.ai{words}"):
        try:
            place = place_of(url)
        except Refused:
            continue
        assert place_of(place.url) == place


def test_no_host_is_allowed_by_default() -> None:
    assert not Allowed(SETTING)
