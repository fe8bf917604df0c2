"""Helpers of this room's tests: processes of the product with an environment of their own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[2]
OURS = ("DATABASE_URL", "REDIS_URL", "PORTABILITY_")


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """This process's environment without the product's own settings, with a data folder and what is given."""
    outer = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
    binaries = f"{Path(sys.executable).parent}{os.pathsep}{outer.get('PATH', '')}"
    return {
        **outer,
        "PATH": binaries,
        "DJANGO_SETTINGS_MODULE": "portability.settings",
        "PORTABILITY_DATA_DIR": str(data_dir),
        **more,
    }


def manage(env: Mapping[str, str], *arguments: str, ok: bool = True) -> subprocess.CompletedProcess[str]:
    """Run one management command; with `ok`, it must succeed."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=180)
    assert not ok or done.returncode == 0, done.stdout + done.stderr
    return done


def free_port() -> int:
    """A port that nothing listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(what: str, answer: Callable[[], Any], seconds: float = 240) -> Any:
    """Wait until `answer` gives something true, and give it back; fail with `what` if it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := answer():
            return found
        time.sleep(0.2)
    raise AssertionError(f"waited {seconds:.0f} s in vain for {what}")


def get(url: str, headers: Mapping[str, str] | None = None) -> tuple[int, bytes, Message] | None:
    """Status, body and headers; None where nothing answers yet."""
    try:
        with urlopen(Request(url, headers=dict(headers or {})), timeout=5) as response:
            return response.status, response.read(), response.headers
    except HTTPError as error:
        return error.code, error.read(), error.headers
    except (URLError, OSError):
        return None


def json_lines(text: str) -> list[dict[str, Any]]:
    """Every line of a log that is one JSON object."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
