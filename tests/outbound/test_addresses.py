"""Only public addresses are connected to."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis.strategies import ip_addresses

from portability.outbound.addresses import is_public

PUBLIC = ["8.8.8.8", "93.184.215.14", "172.15.255.255", "172.32.0.1", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]
OWN = [
    *("127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.127.255.255", "0.0.0.0", "0.1.2.3", "255.255.255.255"),  # noqa: S104
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "198.18.0.1"),
    *(
        "192.0.0.8",
        "192.0.0.1",
        "192.88.99.1",
        "2001:2::1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12:3456::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
    ),
    *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808"),
    *("64:ff9b:1::a00:1", "2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:db8::1", "3fff::1", "100::1"),
    *("5f00::1", "2606:2800:21f::1%1", "", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_connected_to(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", OWN)
def test_an_address_of_an_own_network_is_not(address: str) -> None:
    assert not is_public(address)


@given(ip_addresses(v=4))
def test_no_address_is_public_that_carries_an_ipv4_address(address: IPv4Address) -> None:
    for carried in (f"::ffff:{address}", f"::{address}", f"64:ff9b::{address}", str(IPv6Address(int(address)))):
        assert not is_public(carried)
    assert not is_public(str(IPv6Address((0x2002 << 112) | (int(address) << 80) | 1)))


@given(ip_addresses(v=4, network="10.0.0.0/8") | ip_addresses(v=4, network="127.0.0.0/8"))
def test_no_address_of_these_networks_is_public(address: IPv4Address) -> None:
    assert not is_public(str(address))
