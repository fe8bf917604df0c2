"""What is wrong with an input, said in one line."""

from __future__ import annotations


class InputError(ValueError):
    """An input that cannot be used: where it is wrong (`file`, `line`, 0 when unknown) and what to do about it."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.message = message

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message}" if where else self.message
