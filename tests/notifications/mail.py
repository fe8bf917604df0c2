"""A mail server of a test's own: it speaks SMTP on a port of this machine and keeps what it is given."""

from __future__ import annotations

import contextlib
import socket
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Thread


class MailServer:
    """Takes mail until it is closed, and again on the same port once it is opened.

    `answers` are given instead of its own, by the first word of a command: `{"RCPT": "550 No such user"}`; those of
    `answers_once` to the next such command only.
    """

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.answers: dict[str, str] = {}
        self.answers_once: dict[str, str] = {}
        self.port = 0
        self._listener: socket.socket | None = None
        self.open()

    def open(self) -> None:
        """Listen."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = int(self._listener.getsockname()[1])
        Thread(target=self._serve, args=(self._listener,), daemon=True).start()

    def close(self) -> None:
        """Refuse connections."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None

    def _serve(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted, _ = listener.accept()
                Thread(target=self._talk, args=(accepted,), daemon=True).start()

    def _talk(self, accepted: socket.socket) -> None:
        with contextlib.suppress(OSError), accepted, accepted.makefile("rwb") as lines:

            def say(answer: str) -> None:
                lines.write(answer.encode() + b"\r\n")
                lines.flush()

            say("220 a server of the tests")
            for line in lines:
                verb = line.split()[0].upper().decode() if line.split() else ""
                if answer := self.answers_once.pop(verb, "") or self.answers.get(verb):
                    say(answer)
                elif verb == "DATA":
                    say("354 go on")
                    self._take(lines.readline, say)
                elif verb == "QUIT":
                    say("221 bye")
                    return
                else:
                    if verb == "RCPT":
                        self.recipients.append(line.decode().partition("<")[2].partition(">")[0])
                    say("250 ok")

    def _take(self, readline: object, say: object) -> None:
        assert callable(readline) and callable(say)
        content = b""
        while (line := readline()) not in (b".\r\n", b""):
            content += line[1:] if line.startswith(b".") else line
        message = message_from_bytes(content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        say("250 taken")


def text_of(message: EmailMessage) -> str:
    """The words of a plain message."""
    assert message.get_content_type() == "text/plain"
    return str(message.get_content()).replace("\r\n", "\n")
