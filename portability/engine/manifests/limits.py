"""How much of a manifest is read. Beyond these a file is refused with a clear answer, never slowly."""

from __future__ import annotations

MAX_BYTES = 4_000_000  # of one file
MAX_DOCUMENTS = 1_000  # in one file
MAX_DEPTH = 100  # of nested lists and mappings
MAX_NODES = 400_000  # of one file
MAX_REPEATED = 50_000  # of them repeated by aliases
MAX_EMBEDDED_DEPTH = 4  # of documents carried in strings of documents
MAX_RESUMES = 10  # how often reading goes on at the next document after one that cannot be read

TOO_DEEP = f"nested more than {MAX_DEPTH} deep"
FLATTEN = "No manifest is; flatten it."


class LimitError(ValueError):
    """A limit was passed: on which line, what it was, and what to do."""

    def __init__(self, line: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.remedy = remedy
