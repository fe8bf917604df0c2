"""Real HTTPS servers of a test, certified by an authority that exists for the test only, and their network."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from threading import Thread

import httpcore
import trustme

from portability.outbound.network import Network

PUBLIC = "93.184.215.14"
OTHER = "2606:2800:21f:cb07:6820:80da:af6b:8b2c"
Answer = Callable[[str], Iterator[bytes]]


def said(status: str = "200 OK", body: bytes = b"", *headers: str, kind: str = "text/html") -> Iterator[bytes]:
    """A whole answer at once."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers, "", ""]
    yield "\r\n".join(head).encode() + body


def late(seconds: float) -> Answer:
    """An answer that keeps one waiting."""

    def answer(request: str) -> Iterator[bytes]:
        time.sleep(seconds)
        yield from said()

    return answer


def moved(location: str, status: str = "302 Found") -> Iterator[bytes]:
    """A redirect."""
    return said(status, b"", f"Location: {location}")


class Server:
    """An HTTPS server on a port of this machine. `requests` holds the text of each request, with its body."""

    def __init__(self, context: ssl.SSLContext, answer: Answer) -> None:
        self.requests: list[str] = []
        self._answer = answer
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Accept nothing more."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted, _ = self._listener.accept()
                Thread(target=self._handle, args=(accepted,), daemon=True).start()

    def _handle(self, accepted: socket.socket) -> None:
        with contextlib.suppress(OSError), self._context.wrap_socket(accepted, server_side=True) as secured:
            secured.settimeout(10)
            request = _request(secured)
            self.requests.append(request)
            for piece in self._answer(request):
                secured.sendall(piece)


def _request(secured: ssl.SSLSocket) -> str:
    read = b""
    while b"\r\n\r\n" not in read:
        read += secured.recv(65536)
    head, _, body = read.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += secured.recv(65536)
    return (head + b"\r\n\r\n" + body).decode()


class FakeNetwork(Network):
    """Names resolve as the test says; the public addresses it gives away are ports of this machine.

    `asked` and `opened` say what was looked up and connected to. An address that no server stands at is refused by
    this machine, as a port that nothing listens on is.
    """

    def __init__(self, authority: trustme.CA) -> None:
        super().__init__()
        self.authority = authority
        self.names: dict[str, list[list[str]]] = {}
        self.ports: dict[str, int] = {}
        self.asked: list[str] = []
        self.opened: list[str] = []
        self._servers: list[Server] = []

    def serve(self, host: str, answer: Answer, *, address: str = PUBLIC, certified: str = "") -> Server:
        """Start a server for a host, with a certificate for it or for the name in `certified`."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(certified or host).configure_cert(context)
        server = Server(context, answer)
        self._servers.append(server)
        self.names.setdefault(host, [[address]])
        self.ports[address] = server.port
        return server

    def close(self) -> None:
        """Stop its servers."""
        for server in self._servers:
            server.close()

    def addresses(self, host: str, port: int, timeout: float) -> list[str]:
        """The next answer the test has for the name; the last one goes on."""
        self.asked.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        answers = self.names[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def connect(self, address: str, port: int, timeout: float) -> httpcore.NetworkStream:
        """Connect to the server that stands at the address."""
        self.opened.append(address)
        return super().connect("127.0.0.1", self.ports.get(address, 1), timeout)

    def tls(self) -> ssl.SSLContext:
        """Trusts the CA of the test and no other."""
        return ssl.create_default_context(cadata=self.authority.cert_pem.bytes().decode())
