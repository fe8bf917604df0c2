"""How long the register's page and its CSV take, with registers of two sizes."""

from __future__ import annotations

import os
import tempfile

from tests.bench.timing import median_seconds


def bench_register() -> None:
    """The first page of a register, and the CSV of all of it, in a database that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="portability.settings", PORTABILITY_DATA_DIR=folder)
        os.environ["PORTABILITY_LOG_LEVEL"] = "WARNING"
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from django.core.management import call_command
        from django.test import Client

        from portability.accounts.models import Person
        from tests.register.generate import generate

        call_command("migrate", verbosity=0)
        client = Client(headers={"host": "localhost"})
        client.force_login(Person.objects.create(username="reader"))

        def seconds(address: str, times: int) -> float:
            def ask() -> None:
                answer = client.get(address)
                size = sum(map(len, answer)) if answer.streaming else len(answer.content)
                if answer.status_code != 200 or not size:
                    raise SystemExit(f"{address} answered {answer.status_code}")

            return median_seconds(ask, times)

        generate(500)
        small = seconds("/register/", 15)
        generate(4500, first=500)
        large = seconds("/register/", 15)
        print(f"register page, 500 workloads   {1000 * small:8.1f} ms")
        print(f"register page, 5,000 workloads {1000 * large:8.1f} ms   {large / small:5.1f} x")
        print(f"CSV of 5,000 rows              {1000 * seconds('/register/export.csv', 3):8.1f} ms")
