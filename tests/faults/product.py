"""The product as its processes: web, workers and beat with settings of their own, to be killed and asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from portability.ops import processes
from tests.ops.running import ROOT
from tests.servers import free_port, until

CELERY = [sys.executable, "-m", "celery"]
TOKEN = "t" * 32  # of forms: what the cookie says, the form says
SLOWEST = 8.0  # seconds in which a page comes on a machine that has much else to do


@dataclass
class Answer:
    """What a page answered, and in how many seconds."""

    status: int
    text: str
    seconds: float
    location: str = ""


@dataclass
class Product:
    """One register. `ask` runs SQL on its database and gives the rows, or none where the database is away.

    `workers`: the names of as many as it usually has. `locked`: whether somebody keeps all others from writing.
    """

    folder: Path
    env: dict[str, str]
    cookies: Mapping[str, str]
    ask: Callable[[str], list[tuple[Any, ...]]]
    workers: tuple[str, ...]
    locked: Callable[[], bool] = lambda: False
    port: int = field(default_factory=free_port)
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def inside(self, act: str, *arguments: str, env: Mapping[str, str] | None = None) -> Any:
        """Do something inside the product, in a process of its own (`tests.faults.inside`)."""
        command = [sys.executable, "-m", "tests.faults.inside", act, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env={**self.env, **(env or {})}, capture_output=True, text=True, check=False, timeout=200
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def start_all(self) -> None:
        """Start all that it usually has."""
        for name in ("web", "beat", *self.workers):
            self.start(name)

    def start(self, name: str, env: Mapping[str, str] | None = None, app: str = "portability") -> None:
        """Start `web`, `beat`, or a worker of any other name, as compose.yaml does."""
        celery = [*CELERY, "--app", app]
        commands = {
            "web": [
                sys.executable,
                "-m",
                "gunicorn",
                "--config",
                "python:portability.ops.gunicorn_config",
                "portability.wsgi",
            ],
            "beat": [*celery, "beat", "--schedule", str(self.folder / "schedule"), "--pidfile", ""],
        }
        served = "DATABASE_URL" in self.env
        pool = ["--concurrency", "1", "--hostname", f"{name}@%h"] if served else ["--pool", "solo", *processes.ALONE]
        worker = [*celery, "worker", "--loglevel", "INFO", *pool]
        self.run(name, commands.get(name, worker), env)
        if name == "web":
            until("the web server", lambda: self.get("/health/live/").status == 200)

    def run(self, name: str, command: list[str], env: Mapping[str, str] | None = None) -> None:
        """Start a process in a session of its own; what it says is in a file of its name."""
        bind = {"PORTABILITY_BIND": f"127.0.0.1:{self.port}"}
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**self.env, **bind, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a process and its children."""
        os.killpg(self._running[name].pid, number)

    def kill(self, name: str) -> None:
        """End a process and its children at once, without a word to them."""
        self.signal(name, signal.SIGKILL)
        self._running.pop(name).wait(30)

    def alive(self, name: str) -> bool:
        """Whether a process is still there."""
        return self._running[name].poll() is None

    def child(self, name: str, what: str) -> int:
        """The number of the child of a process whose command line holds a word; 0 where there is none."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes().split(b"\0")
            except (OSError, ValueError):
                continue
            if parent == self._running[name].pid and what.encode() in command:
                return int(folder.name)
        return 0

    def stop(self) -> None:
        """End all that still runs; `serve` in order, for its children are in sessions of their own."""
        if (serve := self._running.pop("serve", None)) is not None:
            serve.terminate()
            serve.wait(60)
        for name in list(self._running):
            try:
                self.kill(name)
            except ProcessLookupError:
                self._running.pop(name).wait(30)

    def log(self, name: str) -> str:
        """What a process said."""
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def get(self, path: str) -> Answer:
        """A page, as the curator. Status 0 where nobody answers."""
        return self._request("GET", path, {})

    def post(self, path: str, fields: Mapping[str, object]) -> Answer:
        """Send a form, as the curator."""
        return self._request("POST", path, {**fields, "csrfmiddlewaretoken": TOKEN})

    def _request(self, method: str, path: str, fields: Mapping[str, object]) -> Answer:
        token = "csrftoken" if "DATABASE_URL" in self.env else f"csrf-{self.env['PORTABILITY_REGISTER']}"
        cookies = {**self.cookies, token: TOKEN}
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        if fields:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        began = time.monotonic()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, urlencode(fields) or None, headers)
            response = connection.getresponse()
            text = response.read().decode()
            where = response.headers.get("Location", "")
            return Answer(response.status, text, time.monotonic() - began, where)
        except OSError:
            return Answer(0, "", time.monotonic() - began)
        finally:
            connection.close()

    def publish(self, draft: Mapping[str, Any]) -> int:
        """Press the button of a draft's page. The run that it starts."""
        answer = self.post(f"/matrices/releases/{draft['pk']}/publish/", {k: v for k, v in draft.items() if k != "pk"})
        assert answer.status == 302 and answer.seconds < SLOWEST, answer
        of_it = f"subject_kind = 'release' AND subject_key = '{draft['pk']}'"
        return int(self.one(f"SELECT id FROM register_run WHERE {of_it}"))

    def one(self, sql: str) -> Any:
        """The one value that a question has; None where the database does not answer."""
        found = self.ask(sql)
        return found[0][0] if found else None

    def claimed(self) -> int:
        """How many batches a worker is at."""
        return int(self.one("SELECT count(*) FROM register_batch WHERE state = 'claimed'") or 0)

    def newest(self) -> int:
        """The newest run."""
        return int(self.one("SELECT max(id) FROM register_run") or 0)

    def ended(self) -> bool:
        """Whether no run is under way."""
        return bool(self.one("SELECT count(*) FROM register_run WHERE state = 'running'") == 0)

    def caught_at_work(self, *workers: str) -> None:
        """Stop workers where they are, one of them at least with a batch in hand, and none where it locks all out."""

        def caught() -> bool:
            if not self.claimed():
                return False
            for name in workers:
                self.signal(name, signal.SIGSTOP)
            if self.claimed() and not self.locked():
                return True
            for name in workers:
                self.signal(name, signal.SIGCONT)
            return False

        until("a worker at work on a batch", caught, every=0.01)

    def page_of_run(self, run: int | None = None) -> str:
        """The text of a run's page."""
        answer = self.get(f"/register/runs/{run or self.newest()}/")
        assert answer.status == 200, answer
        return answer.text

    def keeps_answering(self) -> None:
        """Pages come while the broker is away, none of them late; readiness tells of it and stays."""
        for path in ("/register/", f"/register/runs/{self.newest()}/", "/health/ready/"):
            answer = self.get(path)
            assert answer.status == 200 and answer.seconds < SLOWEST, (path, answer.status, answer.seconds)
        assert '"broker": "away"' in answer.text
