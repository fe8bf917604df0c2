"""How long `portability assess` takes for one file, next to an interpreter that does nothing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.manifests import texts
from tests.bench.timing import median_seconds

TIMES = 20


def bench_start() -> None:
    """Print both, and the difference."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "serving.yaml")
        file.write_text(texts(1)[0])

        def run(*arguments: str) -> None:
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)

        bare = median_seconds(lambda: run("-c", "pass"), TIMES)
        assess = median_seconds(lambda: run("-m", "portability.cli", "assess", str(file)), TIMES)
    print(f"portability assess, one file     {assess:8.3f} s, {assess - bare:.3f} s more than a bare interpreter")
