"""compose.yaml: what the Compose specification allows, no default secrets, and its commands run outside it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import jsonschema
import psycopg
import pytest
import redis
import yaml

from tests.ops.running import ROOT, environment, free_port, get, json_lines, until

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
PRODUCT = ("prepare", "web", "worker", "beat")


def test_is_valid_by_the_compose_specification() -> None:
    vendor = files("check_jsonschema").joinpath("builtin_schemas", "vendor", "compose-spec.json")
    jsonschema.Draft7Validator(json.loads(vendor.read_text())).validate(COMPOSE)


def test_every_service_is_there_and_watched() -> None:
    services = COMPOSE["services"]
    assert set(services) == {*PRODUCT, "postgres", "redis"}
    for name in services.keys() - {"prepare"}:
        assert services[name]["healthcheck"]["test"], name
    for name in ("web", "worker", "beat"):
        assert services[name]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}
    assert "FROM python" in services["web"]["build"]["dockerfile_inline"]
    mounted = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert mounted == set(COMPOSE["volumes"])


def test_what_is_secret_has_no_default() -> None:
    """Each mention of a secret makes Compose refuse to start where it is not given."""
    named = re.findall(r"\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}", (ROOT / "compose.yaml").read_text())
    assert {name for name, _ in named} == {"POSTGRES_PASSWORD", "PORTABILITY_SECRET_KEY"}
    assert all(rest.startswith(":?") for _, rest in named)


def test_every_setting_is_one_that_the_product_reads() -> None:
    read = (ROOT / "portability/settings.py").read_text() + (ROOT / "portability/ops/gunicorn_config.py").read_text()
    for name in COMPOSE["services"]["web"]["environment"].keys() - {"WEB_CONCURRENCY"}:  # gunicorn's own
        assert name in read, name


@contextmanager
def _database() -> Iterator[str]:
    """A database of its own on the configured server, dropped afterwards."""
    server = urlsplit(os.environ["DATABASE_URL"])
    name = f"portability_compose_{os.getpid()}"
    with psycopg.connect(urlunsplit(server._replace(scheme="postgresql", path="/postgres")), autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlunsplit(server._replace(path=f"/{name}"))
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _command(service: str, folder: Path) -> list[str]:
    """A service's command as compose.yaml has it; what it keeps in /tmp goes to the folder."""
    return [part.replace("/tmp/", f"{folder}/") for part in COMPOSE["services"][service]["command"]]  # noqa: S108


@contextmanager
def _running(service: str, env: dict[str, str], folder: Path) -> Iterator[Path]:
    """The service as a process; afterwards it must stop when asked to."""
    log = folder / f"{service}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(_command(service, folder), cwd=ROOT, env=env, stdout=out, stderr=out)
        try:
            yield log
            assert process.poll() is None, log.read_text()
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            finally:
                process.kill()
    assert process.returncode == 0, log.read_text()


def _health(service: str, env: dict[str, str], folder: Path, port: int) -> bool:
    """Run the service's own health check."""
    kind, *test = COMPOSE["services"][service]["healthcheck"]["test"]
    test = [part.replace("/tmp", str(folder)).replace(":8000/", f":{port}/") for part in test]  # noqa: S108
    command = ["sh", "-c", test[0].replace("$$", "$")] if kind == "CMD-SHELL" else test
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False, timeout=60).returncode == 0


@pytest.mark.served
def test_its_commands_run(tmp_path: Path) -> None:
    """Prepare, then web, worker and beat beside each other: healthy, and a scheduled task gets done."""
    broker = urlunsplit(urlsplit(os.environ["REDIS_URL"])._replace(path="/14"))
    redis.Redis.from_url(broker).flushdb()
    port = free_port()
    with _database() as database:
        env = environment(
            tmp_path / "data",
            DATABASE_URL=database,
            REDIS_URL=broker,
            PORTABILITY_SECRET_KEY="only for this test " * 3,
            PORTABILITY_BIND=f"127.0.0.1:{port}",
        )
        command = [sys.executable, *_command("prepare", tmp_path)[1:]]
        for first in (True, False):
            done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            assert ("administrator" in done.stdout) is first
        with (
            _running("web", env, tmp_path),
            _running("worker", env, tmp_path) as worker,
            _running("beat", env, tmp_path),
        ):
            until("the web server", lambda: get(f"http://127.0.0.1:{port}/health/live/"))
            ready = get(f"http://127.0.0.1:{port}/health/ready/")
            assert ready and (ready[0], json.loads(ready[1])["broker"]) == (200, "ok")
            until("a task done", lambda: "succeeded" in worker.read_text())
            for service in ("web", "worker", "beat"):
                until(f"{service} to be healthy", partial(_health, service, env, tmp_path, port))
        done_lines = [line for line in json_lines(worker.read_text()) if "succeeded" in line["message"]]
        assert "take_over" in done_lines[0]["message"]
