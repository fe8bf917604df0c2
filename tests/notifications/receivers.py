"""What stands at the address of a webhook in the tests of this room, and what became of deliveries to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from portability.notifications.models import Delivery
from tests.outbound.servers import FakeNetwork, Server, said

HOST = "hooks.example.com"


class Receiver:
    """What stands at the address of the tests; it gives the answers of a test, the last one for ever."""

    def __init__(self, web: FakeNetwork) -> None:
        self.answers: list[Callable[[], Iterator[bytes]]] = [lambda: said("204 No Content")]
        self.server: Server = web.serve(HOST, lambda request: self._next()())

    def _next(self) -> Callable[[], Iterator[bytes]]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    @property
    def got(self) -> list[tuple[dict[str, str], str]]:
        """Headers, by name in small letters, and body of each request."""
        found = []
        for request in self.server.requests:
            head, _, body = request.partition("\r\n\r\n")
            lines = [line.partition(": ") for line in head.split("\r\n")[1:]]
            found.append(({name.lower(): value for name, _, value in lines}, body))
        return found

    @property
    def said(self) -> list[dict[str, Any]]:
        """The messages."""
        return [json.loads(body) for _, body in self.got]


def answers(*statuses: str) -> list[Callable[[], Iterator[bytes]]]:
    """One answer after the other."""
    return [lambda status=status: said(status) for status in statuses]  # type: ignore[misc]


def states() -> list[str]:
    """Of all deliveries."""
    return list(Delivery.objects.order_by("created_at").values_list("state", flat=True))
