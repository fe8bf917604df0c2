"""PostgreSQL and Redis of one's own: on free ports, thrown away afterwards, never those anything is configured for."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import psycopg
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

UNPRIVILEGED = ("postgres", "nobody")  # whom they run as where the tests run as root: PostgreSQL refuses root
START_SECONDS = 60.0
_ONCE = Retry(NoBackoff(), 0)


class CannotStart(Exception):
    """Why a server cannot be had here."""


def free_port() -> int:
    """A port that nothing listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def missing() -> list[str]:
    """The binaries that are not there: without them nothing of this can run."""
    return [name for name in ("initdb", "postgres", "redis-server") if _binary(name) is None]


class Server:
    """A server in a folder of its own, started, stopped and started again on the same port and data."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="portability-"))
        self._user = _user()
        if self._user:
            shutil.chown(self.folder, *self._user)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = self._spawn(*self._command())
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                raise CannotStart(f"{self._command()[0]} did not start:\n{self.log()[-2000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop it at once, as when it is killed; what it has said was kept is kept."""
        if self._process is not None:
            self.go_on()
            self._process.send_signal(self._stop_signal)
            try:
                self._process.wait(START_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Stop it and start it again."""
        self.stop()
        self.start()

    def hold(self) -> None:
        """Let it keep its port and answer nobody, until `go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it answer again."""
        self._signal(signal.SIGCONT)

    def log(self) -> str:
        """What it said so far."""
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    def __enter__(self) -> Any:
        try:
            self.start()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._remove()

    _stop_signal = signal.SIGTERM

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError

    def _remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def _spawn(self, *command: str) -> subprocess.Popen[bytes]:
        user, group = self._user or (None, None)
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=user,
                group=group,
                extra_groups=[] if user else None,
            )


class Postgres(Server):
    """PostgreSQL as it is installed: durable, with its own settings."""

    _stop_signal = signal.SIGINT  # fast: connections are cut, nothing that was committed is lost

    def start(self) -> None:
        """Make its files the first time, and start it."""
        if not (self.folder / "data").exists():
            flags = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
            made = self._spawn(_needed("initdb"), f"--pgdata={self.folder / 'data'}", *flags)
            if made.wait(START_SECONDS):
                raise CannotStart(f"initdb failed:\n{self.log()[-2000:]}")
        super().start()

    @property
    def url(self) -> str:
        """For DATABASE_URL."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """For DATABASE_URL, of one of its databases."""
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def execute(self, sql: str) -> None:
        """Run one statement outside any transaction."""
        with psycopg.connect(self.url.replace("postgres://", "postgresql://"), autocommit=True) as connection:
            connection.execute(sql.encode())

    def _command(self) -> list[str]:
        where = ("-D", str(self.folder / "data"), "-p", str(self.port), "-k", str(self.folder))
        return [_needed("postgres"), *where, "-c", "listen_addresses=127.0.0.1"]

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url.replace("postgres://", "postgresql://"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


class Redis(Server):
    """Redis that keeps nothing: what it held is gone when it stops."""

    @property
    def url(self) -> str:
        """For REDIS_URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    def _command(self) -> list[str]:
        where = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder))
        return [_needed("redis-server"), *where, "--save", "", "--appendonly", "no"]

    def _answers(self) -> bool:
        try:
            return bool(redis.Redis(port=self.port, socket_timeout=1, socket_connect_timeout=1, retry=_ONCE).ping())
        except redis.RedisError:
            return False


@contextmanager
def servers() -> Iterator[tuple[Postgres, Redis]]:
    """Both, for as long as they are needed."""
    with Postgres() as postgres, Redis() as broker:
        yield postgres, broker


def until(what: str, answer: Callable[[], Any], seconds: float = 120, every: float = 0.1) -> Any:
    """Wait until `answer` gives something true, and give it back; fail with `what` if it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := answer():
            return found
        time.sleep(every)
    raise AssertionError(f"waited {seconds:.0f} s in vain for {what}")


def _binary(name: str) -> str | None:
    """Where a program is: on the path, or where Debian and its like keep PostgreSQL's, the newest first."""
    kept = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: float(p.parts[-3]), reverse=True)
    return shutil.which(name) or next((str(path) for path in kept), None)


def _needed(name: str) -> str:
    found = _binary(name)
    if found is None:
        raise CannotStart(f"{name} is not installed")
    return found


def _user() -> tuple[int, int] | None:
    """Whom a server runs as where we are root; None where we are not."""
    if os.geteuid() != 0:
        return None
    for name in UNPRIVILEGED:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return found.pw_uid, found.pw_gid
    raise CannotStart("these servers do not run as root, and there is neither a user postgres nor nobody")
