"""`make run` as a process: the sample register, its logins, its background worker, its log, and a second start."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.ops.running import ROOT, environment, free_port, get, json_lines, manage, until

ROLES = {"viewer", "member", "architect", "curator", "administrator"}
LOGIN = re.compile(r"^  (\w+) +([a-z0-9-]{19})", re.MULTILINE)


@contextmanager
def _serving(env: dict[str, str], port: int, output: Path) -> Iterator[str]:
    """The command until it says where the register is; then Ctrl-C, which must stop all of it in order."""
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with output.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=out)
    try:
        until("the address", lambda: process.poll() is not None or "The register is at" in output.read_text())
        assert process.poll() is None, output.read_text()
        yield output.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        finally:
            process.kill()
    assert process.returncode == 0, output.read_text()
    assert get(f"http://127.0.0.1:{port}/health/live/") is None


def _state(register: Path) -> tuple[dict[str, int], str]:
    """Rows by table, and a digest of everything the register holds."""
    with closing(sqlite3.connect(register)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = {t: database.execute(f'SELECT count(*) FROM "{t}"').fetchone()[0] for t in tables}
        return counts, hashlib.sha256("\n".join(database.iterdump()).encode()).hexdigest()


def test_the_sample_register(tmp_path: Path) -> None:
    data, port = tmp_path / "data", free_port()
    env = environment(data, PORTABILITY_REGISTER="sample")
    register, log = data / "sample.sqlite3", data / "sample.log"

    with _serving(env, port, tmp_path / "first") as said:
        logins = dict(LOGIN.findall(said))
        assert logins.keys() == ROLES
        assert len(set(logins.values())) == len(ROLES)
        assert (get(f"http://127.0.0.1:{port}/login/") or [0])[0] == 200
        until("a task done without Redis", lambda: "succeeded" in log.read_text())
        refused = manage(env, "serve", "--port", str(free_port()), ok=False)
        assert (refused.returncode, "already being served" in refused.stderr) == (1, True)
    stored = register.read_bytes()
    assert not any(password.encode() in stored for password in logins.values())
    assert "Warm shutdown" in log.read_text()

    before, started = _state(register), time.monotonic()
    with _serving(env, port, tmp_path / "second") as said:
        assert time.monotonic() - started < 20
        assert not LOGIN.search(said)
        assert "make passwords" in said
    assert _state(register) == before

    renewed = dict(LOGIN.findall(manage(env, "passwords").stdout))
    assert renewed.keys() == ROLES
    assert not set(renewed.values()) & set(logins.values())


def test_an_empty_register_beside_a_taken_port(tmp_path: Path) -> None:
    env = environment(tmp_path / "data", PORTABILITY_REGISTER="mine")
    port, other = free_port(), free_port()
    with _serving(env, port, tmp_path / "first") as said:
        assert [name for name, _ in LOGIN.findall(said)] == ["administrator"]
        beside = environment(tmp_path / "data", PORTABILITY_REGISTER="other")
        taken = manage(beside, "serve", "--port", str(port), ok=False)
        assert taken.returncode == 1
        assert f"Port {port} is taken by another program" in taken.stderr
        assert "make run PORT=" in taken.stderr
        with _serving(beside, other, tmp_path / "second"):
            pass
    counts, _ = _state(tmp_path / "data" / "mine.sqlite3")
    assert counts["workloads_workload"] == 0
    assert counts["accounts_person"] == 1
    assert counts["targets_target"] > 0
    assert counts["matrices_release"] > 0


def test_every_log_line_of_a_request_carries_its_id(tmp_path: Path) -> None:
    env, port = environment(tmp_path / "data", PORTABILITY_REGISTER="mine"), free_port()
    given = "3f2b8c9d1a5e4f60b7c8d9e0f1a2b3c4"
    with _serving(env, port, tmp_path / "output"):
        answer = get(f"http://127.0.0.1:{port}/no-such-page/?q=private", {"X-Request-Id": given})
        assert answer
        assert answer[2]["X-Request-Id"] == given
        log = tmp_path / "data" / "mine.log"
        until("the access line", lambda: "/no-such-page/" in log.read_text())
    lines = [line for line in json_lines(log.read_text()) if line["request_id"] == given]
    access = next(line for line in lines if line["logger"] == "gunicorn.access")
    assert access["message"].startswith("GET /no-such-page/ ")
    assert access["milliseconds"] >= 0
    assert "private" not in json.dumps(access)


def test_a_worker_that_dies_is_started_again(tmp_path: Path) -> None:
    data, port = tmp_path / "data", free_port()
    log = data / "mine.log"
    with _serving(environment(data, PORTABILITY_REGISTER="mine"), port, tmp_path / "output"):
        until("the worker", lambda: " ready." in log.read_text())
        listed = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
        (serve,) = (pid for pid, _, arguments in rows if f"serve --port {port}" in arguments)
        (worker,) = (pid for pid, parent, arguments in rows if parent == serve and " worker " in arguments)
        os.kill(int(worker), signal.SIGKILL)
        until("another worker", lambda: log.read_text().count(" ready.") == 2)
        assert get(f"http://127.0.0.1:{port}/health/live/")


def test_it_refuses_where_a_database_is_configured(tmp_path: Path) -> None:
    """No sample, no sample logins, on a database that several people use."""
    env = environment(tmp_path, DATABASE_URL="postgres://127.0.0.1:1/x", PORTABILITY_SECRET_KEY="only here " * 6)
    for register in ("sample", "mine"):
        done = manage({**env, "PORTABILITY_REGISTER": register}, "serve", ok=False)
        assert done.returncode == 1
        assert "DATABASE_URL is set" in done.stderr
        assert "Traceback" not in done.stderr
