"""Reading the YAML files that ship with the product: trusted, so without the limits set on what people send."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml


def load(file: Path | Traversable) -> Any:
    """What a shipped file holds."""
    return yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
