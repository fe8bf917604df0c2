"""One connection under one deadline: a name is resolved once, and connected to at an address that was checked."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import httpcore

from portability.outbound.addresses import is_public
from portability.outbound.errors import Failed, Refused

CONNECT_SECONDS = 5.0  # for one address where there are more to try
PIECE = 16 * 1024  # bytes that are written before the deadline is looked at again


class Network:
    """The machine's own resolver, sockets and trusted certificates. No proxy is used, whatever the environment says."""

    def __init__(self) -> None:
        self._tls: ssl.SSLContext | None = None

    def addresses(self, host: str, port: int, timeout: float) -> list[str]:
        """What the name resolves to, in the order to try. Raises OSError, TimeoutError among them."""
        answers: SimpleQueue[list[str] | OSError] = SimpleQueue()

        def ask() -> None:
            try:
                found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                answers.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))
            except OSError as error:
                answers.put(error)

        Thread(target=ask, daemon=True).start()  # a resolver takes no time limit
        try:
            answer = answers.get(timeout=timeout)
        except Empty:
            raise TimeoutError from None
        if isinstance(answer, OSError):
            raise answer
        return answer

    def connect(self, address: str, port: int, timeout: float) -> httpcore.NetworkStream:
        """Connect to an address, which is never a name. Raises httpcore's ConnectError or ConnectTimeout."""
        return httpcore.SyncBackend().connect_tcp(address, port, timeout)

    def tls(self) -> ssl.SSLContext:
        """Which certificates are trusted: the system's, or those that SSL_CERT_FILE names."""
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls


class Deadline:
    """One limit for all that an exchange does, however slowly the other end goes on."""

    def __init__(self, host: str, seconds: float) -> None:
        self.host = host
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left. Raises Failed where there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> Failed:
        """That the limit was passed."""
        return Failed(f"{self.host} took longer than {self.seconds:g} seconds: try again later.")


class CheckedBackend(httpcore.NetworkBackend):
    """Connects to a name at an address that was checked; httpcore then verifies the certificate for the name."""

    def __init__(self, network: Network, deadline: Deadline) -> None:
        self._network = network
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Resolve, check all addresses, connect to the first that answers."""
        addresses = self._checked(host, port)
        for address in addresses[:-1]:
            try:
                return self._opened(address, port, min(self._deadline.left(), CONNECT_SECONDS))
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._opened(addresses[-1], port, self._deadline.left())

    def _opened(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        return _TimedStream(self._network.connect(address, port, seconds), self._deadline)

    def _checked(self, host: str, port: int) -> list[str]:
        try:
            addresses = self._network.addresses(host, port, self._deadline.left())
        except TimeoutError:
            raise self._deadline.passed() from None
        except OSError:
            raise Failed(f"The name {host} is not known: check its spelling and this machine's name server.") from None
        if not addresses:
            raise Failed(f"The name {host} has no address: check its spelling.")
        for address in addresses:
            if not is_public(address):
                raise Refused(
                    f"{host} leads to {address}, which is no public address: only hosts on the public Internet are"
                    " connected to."
                )
        return addresses


class _TimedStream(httpcore.NetworkStream):
    """A stream each of whose steps gets what is left of the deadline."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), PIECE):
            self._inner.write(buffer[start : start + PIECE], self._deadline.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._inner.start_tls(ssl_context, server_hostname, self._deadline.left())
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
