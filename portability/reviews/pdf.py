"""An HTML file as PDF, printed by a Chromium that is on the machine. It asks no other host for anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 900  # 2,000 entries take well below a minute, and on a machine that is busy more than ten
_QUIET = (
    "--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--no-pdf-header-footer",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip


class CannotPrint(Exception):
    """No PDF was made; the message says why and what to do."""


def find_chromium() -> Path | None:
    """The Chromium of PORTABILITY_CHROMIUM, or else the first one on the PATH; None where there is none."""
    named = os.environ.get("PORTABILITY_CHROMIUM", "")
    if named:
        found = shutil.which(named)
        return Path(found) if found else None
    return next((Path(found) for name in NAMES if (found := shutil.which(name))), None)


def write_pdf(html: Path, pdf: Path, chromium: Path) -> None:
    """Print an HTML file. `pdf` is written whole or not at all. Raises CannotPrint."""
    with tempfile.TemporaryDirectory(prefix="portability-print-") as folder:
        printed = Path(folder) / "printed.pdf"
        command = [str(chromium), *_QUIET, f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium refuses root a sandbox; the file is our own
            command.append("--no-sandbox")
        try:
            done = subprocess.run(
                [*command, html.resolve().as_uri()], capture_output=True, timeout=SECONDS, check=False
            )
        except OSError as error:
            raise CannotPrint(f"{chromium} could not be started: {error.strerror or error}.") from None
        except subprocess.TimeoutExpired:
            raise CannotPrint(f"{chromium} printed nothing within {SECONDS} seconds.") from None
        if done.returncode or not printed.exists() or not printed.stat().st_size:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise CannotPrint(f"{chromium} printed nothing (status {done.returncode}): {said[-1] if said else ''}")
        _put(printed, pdf)


def _put(printed: Path, pdf: Path) -> None:
    """Move it there at once: beside its place first, since a folder for temporary files may be another disk."""
    beside = pdf.with_name(f".{pdf.name}.{os.getpid()}")
    try:
        shutil.copyfile(printed, beside)
        beside.replace(pdf)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise CannotPrint(f"{pdf} could not be written: {error.strerror or error}.") from None
