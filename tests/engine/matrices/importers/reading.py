"""How the tests read: a page to facts, and a page that must be refused."""

from __future__ import annotations

from typing import Any

import pytest

from portability.engine.errors import InputError
from portability.engine.matrices.importers import read_document
from portability.engine.matrices.keys import ROCM


def facts(text: str | bytes, source: str = ROCM, version: str | None = None) -> dict[str, Any]:
    """What one document says."""
    content = text if isinstance(text, bytes) else text.encode()
    return dict(read_document(source, [("page", content)], version).facts)


def refused(text: str | bytes, words: str, source: str = ROCM, version: str | None = None) -> None:
    """The document is refused in one line that says what (`words`, a pattern) and names the document."""
    with pytest.raises(InputError, match=words) as caught:
        facts(text, source, version)
    assert "\n" not in str(caught.value)
    assert caught.value.file == "page"
