"""Credentials in application material: strings of a program under the name of one, and what a Dockerfile sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from portability.engine.manifests.secret_words import is_secret_name, is_secret_value

Found = tuple[int, int, str]  # start, end, why

# `token = "x"`, `token: str = "x"`, `"token": "x"`, `getenv("TOKEN", "x")`, `["--token", "x"]`, `char token[] = "x"`
_STRING = re.compile(
    r"""(?<!\w)(?P<name>[A-Za-z_][\w.-]{1,80})\\?["'\]\[)]{0,4}[ \t]{0,8}"""
    r"""(?::[ \t]{0,4}[\w.\[\]|][\w.\[\]| ]{0,60}(?==))?"""
    r"""(?:=>|:=|==|!=|=|:|,)\s{0,80}(?:\(\s{0,80})?[rRbBuUfF]{0,2}(?P<escaped>\\?)(?P<quote>\"{3}|'{3}|["'`])"""
)
_PASSWORD = re.compile(
    r"""(?<!\w)auth\s{0,4}=\s{0,4}\(\s{0,80}(?:"[^"\n]{0,256}"|'[^'\n]{0,256}')\s{0,4},\s{0,80}["'](?P<value>[^"'\n]{1,256})"""
)
# Up to the quote that closes it: without one, the quote before was itself the end of a string.
_VALUES = {
    '"': re.compile(r'((?:\\.|[^"\\\n]){1,4096})"'),
    "'": re.compile(r"((?:\\.|[^'\\\n]){1,4096})'"),
    "`": re.compile(r"([^`\n]{1,4096})`"),
    '"""': re.compile(r'((?:(?!""").){1,4096})"""', re.DOTALL),
    "'''": re.compile(r"((?:(?!\'\'\').){1,4096})\'\'\'", re.DOTALL),
}
_ESCAPED = re.compile(r"""([^"'\\\n]{1,4096})\\""")  # a string within a string
_FILLED_IN = re.compile(r"\{[^{}]{0,200}\}")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+$")
_SET = re.compile(r"(?im)^[ \t]*(?:ENV|ARG)[ \t]+(?P<name>[A-Za-z_]\w{1,80})[ \t]+(?P<value>[^\s=\"'][^\s\"']{0,4095})")


def quoted(text: str) -> Iterator[Found]:
    """Strings that stand under the name of a credential. What is filled in, an option or a variable's name is none."""
    for found in _STRING.finditer(text):
        if not is_secret_name(found["name"]):
            continue
        value = (_ESCAPED if found["escaped"] else _VALUES[found["quote"]]).match(text, found.end())
        if value is None or value[1].startswith(("-", "{", "%")) or _VARIABLE.match(value[1]):
            continue
        if is_secret_value(found["name"], _FILLED_IN.sub("", value[1])):  # `f"Bearer {token}"` holds none itself
            yield value.start(1), value.end(1), f"the value of {found['name']}"
    for found in _PASSWORD.finditer(text):
        yield found.start("value"), found.end("value"), "password of a request"


def set_by_word(text: str) -> Iterator[Found]:
    """`ENV HF_TOKEN x`, with nothing between name and value."""
    for found in _SET.finditer(text):
        if is_secret_name(found["name"]) and is_secret_value(found["name"], found["value"]):
            yield found.start("value"), found.end("value"), f"the value of {found['name']}"
