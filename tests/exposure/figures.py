"""The figures of the first page, and what the register says of the rows that they lead to."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client

SAID = {  # by the register's page of what it shows
    "workloads": r"<h1>(\d+)(?: of \d+)? workload",
    "replicas": r"(\d+)(?: of \d+)? replicas?(?: ·|, of)",
    "gpus": r"(\d+)(?: of \d+)? GPU",
}
_LINK = re.compile(r'<a([^>]*) href="(/register/\?[^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
Counted = list[tuple[str, str, int]]


def text_of(html: str) -> str:
    """What is read of it."""
    return re.sub(r"<[^>]+>", "", html).strip()


def figures(page: str) -> Counted:
    """Every number of the page that leads to the register: the address, what is counted, and how many."""
    found = []
    for attributes, url, text in _LINK.findall(page):
        of = re.search(r'class="(replicas|gpus)"', attributes)
        if said := re.match(r"(?:All )?(\d+)", text_of(text)):
            found.append((unescape(url), of[1] if of else "workloads", int(said[1])))
    return found


class Shown:
    """The register as a person sees it. An address is asked for once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._pages: dict[str, str] = {}

    def page(self, address: str) -> str:
        """What is at an address."""
        if address not in self._pages:
            self._pages[address] = self._client.get(address).content.decode()
        return self._pages[address]

    def number(self, address: str, what: str = "workloads") -> int:
        """How many workloads, replicas or GPUs the register says it shows."""
        page = self.page(address)
        assert 'class="warning"' not in page, address
        said = re.search(SAID[what], page)
        assert said, address
        return int(said[1])

    def otherwise(self, counted: Counted) -> list[tuple[str, str, int, int]]:
        """The figures of which the register says another number, with that."""
        said = [(url, what, n, self.number(url, what)) for url, what, n in counted]
        return [each for each in said if each[2] != each[3]]
