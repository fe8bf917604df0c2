"""The product as it is served, for a bench: PostgreSQL and Redis of its own, and the product's own Celery workers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import missing, servers, until

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served() -> Iterator[str]:
    """Set this process up on servers that are thrown away, migrated and empty. Gives what the database is, in words.

    Once a process: Django keeps its settings. Stops the bench where there are no such servers to start.
    """
    if lacking := missing():
        raise SystemExit(f"left out: there is no {', no '.join(lacking)} here to start servers of its own with")
    with servers() as (postgres, broker), tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATABASE_URL=postgres.url,
            REDIS_URL=broker.url,
            DJANGO_SETTINGS_MODULE="portability.settings",
            PORTABILITY_DATA_DIR=folder,
            PORTABILITY_SECRET_KEY="only-for-a-bench-0123456789",  # noqa: S106 - of a database that is thrown away
            PORTABILITY_LOG_LEVEL="WARNING",
        )
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SHOW server_version")
                yield f"PostgreSQL {cursor.fetchone()[0].split()[0]}"
        finally:
            connection.close()


@contextmanager
def workers(count: int) -> Iterator[None]:
    """The product's workers, one process each, ready to be woken, and its beat; stopped in order afterwards."""
    from celery import current_app

    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "portability"]
    folder = Path(os.environ["PORTABILITY_DATA_DIR"])
    commands = [
        [*celery, "worker", "--concurrency", "1", "--loglevel", "WARNING", "--hostname", f"worker{number}@bench"]
        for number in range(count)
    ]
    commands.append([*celery, "beat", "--schedule", str(folder / "beat"), "--pidfile", "", "--loglevel", "WARNING"])
    with tempfile.TemporaryFile() as log:
        children = [subprocess.Popen(c, cwd=ROOT, stdout=log, stderr=log, start_new_session=True) for c in commands]
        try:
            until("the workers", lambda: len(current_app.control.ping(timeout=0.5)) == count)
            yield
        except BaseException:
            log.seek(0)
            sys.stderr.buffer.write(log.read()[-4000:])
            raise
        finally:
            for child in children:
                child.terminate()
            for child in children:
                child.wait(60)


def settle() -> None:
    """What PostgreSQL would do by itself within a minute, done now: so that no measure pays for the one before."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def seconds_until_done(run_id: int, began: float) -> float:
    """Seconds from `began` (by the clock that only goes on) to the end of a run."""
    from portability.register.models import Run

    until("the end of the run", lambda: Run.objects.filter(pk=run_id, state=Run.State.DONE).exists(), 600, 0.02)
    return time.perf_counter() - began
