"""The embedded product: web server, worker and beat as children of one command, started and stopped together."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings

GUNICORN = "python:portability.ops.gunicorn_config"
ALONE = ["--without-gossip", "--without-mingle", "--without-heartbeat"]  # there is no other worker to hear from
STOP_SECONDS = 15
START_SECONDS = 60
LOG_BYTES = 20 * 1024 * 1024


class CannotServe(Exception):
    """Why the product does not start, and what to do."""


def log_file() -> Path:
    """Where all three write their lines."""
    return Path(settings.DATA_DIR) / f"{settings.REGISTER}.log"


@contextmanager
def only_one() -> Iterator[None]:
    """Hold the register: a second command that serves or restores it is refused."""
    with (Path(settings.DATA_DIR) / f"{settings.REGISTER}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotServe(f"The register {settings.REGISTER} is already being served. Stop that first.") from None
        yield


def check_port(port: int) -> None:
    """Refuse a port that something else listens on, before anything is started."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            why = "is taken by another program" if taken else f"cannot be used ({error})"
            raise CannotServe(f"Port {port} {why}. Choose another one, for example: make run PORT=8765") from None


def serve(port: int, ready: Callable[[], object]) -> None:
    """Run all three until interrupted, and stop them. Worker and beat are started again if they die."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "portability"]
    schedule = str(Path(settings.DATA_DIR) / f"{settings.REGISTER}.beat")
    commands = {
        "web": [sys.executable, "-m", "gunicorn", "--config", GUNICORN, "portability.wsgi"],
        "worker": [*celery, "worker", "--pool", "solo", *ALONE, "--loglevel", "INFO"],
        "beat": [*celery, "beat", "--schedule", schedule, "--pidfile", "", "--loglevel", "INFO"],
    }
    children: dict[str, subprocess.Popen[bytes]] = {}
    with _opened_log() as log:
        try:
            for name, command in commands.items():
                children[name] = _start(command, log, port)
            _wait_for(port, children["web"])
            ready()
            while children["web"].poll() is None:
                time.sleep(0.5)
                for name in ("worker", "beat"):
                    if children[name].poll() is not None:
                        time.sleep(2)  # one that cannot start must not spin
                        children[name] = _start(commands[name], log, port)
            raise CannotServe(f"The web server stopped by itself. Its last lines are in {log_file()}")
        except KeyboardInterrupt:
            pass
        finally:
            _stop(children.values())


def _opened_log() -> IO[bytes]:
    """Append to the log; one that grew large is put aside, in place of the one put aside before."""
    path = log_file()
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
    return path.open("ab")


def _start(command: list[str], log: IO[bytes], port: int) -> subprocess.Popen[bytes]:
    """A child in a session of its own, so that Ctrl-C reaches this process only and the stop is in order."""
    return subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PORTABILITY_BIND": f"127.0.0.1:{port}"},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def _wait_for(port: int, web: subprocess.Popen[bytes]) -> None:
    """Until the web server answers."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and web.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{port}/health/live/", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise CannotServe(f"The web server did not start. Its last lines are in {log_file()}")


def _stop(children: Iterable[subprocess.Popen[bytes]]) -> None:
    """Ask all to finish what they do, then insist. A second Ctrl-C changes nothing about that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for child in children:
        child.terminate()
    until = time.monotonic() + STOP_SECONDS
    for child in children:
        try:
            child.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
