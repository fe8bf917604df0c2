"""What must hold in the end, whatever went wrong meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.faults.product import Product
from tests.servers import until

SECONDS = 240.0  # in which a run ends on a machine that has much else to do
DRIVER = ("rocm-compatibility-matrix", "driver/mi300x", "31.50.0")  # every assessment asked for it
PREFIXES = ("vllm-features", "hardware/prefix-caching/AMD", "unsupported")  # those with the feature asked for it


def right_in_the_end(product: Product) -> dict[str, Any]:
    """Wait for all runs to end, and hold everything that is stored against a fresh judgement. What was found."""
    until("the runs to end", product.ended, SECONDS, every=0.5)
    found: dict[str, Any] = product.inside("truth")
    assert not found["wrong"], found
    assert found["out of date"] == 0, found
    assert found["one current each"], found
    assert found["moves that are not so"] == 0, found
    assert found["undone"] == 0, found
    for run in found["runs"]:
        assert (run["state"], run["done"], run["failed"]) == ("done", run["total"], 0), found
    return found


def told(product: Product, *words: str, run: int | None = None, either: tuple[str, ...] = ()) -> None:
    """The run's page says how it ended, each of these words, and one of those in `either`."""
    page = product.page_of_run(run)
    text = page[page.index("<h1>") : page.index("</main>")]
    for each in ("Done", " 0 left", *words):
        assert each in text, (each, text)
    assert not either or any(each in text for each in either), (either, text)


FORMER = """\
import portability
portability.__version__ = "0.0.9"
import django
django.setup()
from portability.celery import app
from portability.engine.model import Verdict
from portability.register import judging

class Former(judging.Judge):
    def assess(self, *args, **kwargs):
        return super().assess(*args, **kwargs)._replace(verdict=Verdict.PINNED)

judging.Judge = Former
"""


def of_a_former_version(folder: Path) -> dict[str, str]:
    """The environment of processes that run a former version, in which all was pinned: its Celery app is `former`."""
    (folder / "former.py").write_text(FORMER)
    return {"PYTHONPATH": str(folder), "IMPORTED_FIRST": "former"}
