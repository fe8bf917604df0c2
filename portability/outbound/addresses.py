"""Which addresses are public: those that anyone on the Internet could be asked at, and nothing of an own network."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network

_UNICAST = IPv6Network("2000::/3")  # all that is assigned; without mapped, NAT64, link-local, unique local, multicast
# Of IANA's special-purpose registries, what `is_global` of some Python versions lets through.
_SPECIAL = [
    ip_network(network)
    for network in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
]


def is_public(text: str) -> bool:
    """Whether this is a global unicast address, and none that carries an IPv4 address inside."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if any(address in network for network in _SPECIAL):
        return False
    return isinstance(address, IPv4Address) or (address in _UNICAST and not address.scope_id)
