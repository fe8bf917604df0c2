"""Credentials whose name and value stand apart, where no document tells: `name: HF_TOKEN` and then `value: …`.

In files that could not be read, in comments, and in manifests kept as text inside another one, as
`kubectl apply` keeps its last-applied configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from portability.engine.manifests.secret_words import is_secret_name, is_secret_value

Found = tuple[int, int, str]  # start, end, why

_PAIR = re.compile(
    r"""(?<![\w.-])\\?["']?(?:name|key)\\?["']?[ \t]{0,4}:[ \t]{0,4}\\?["']?(?P<name>[A-Za-z_][\w.-]{1,80})\\?["']?"""
    r"""[ \t]{0,8}(?:,?(?:[ \t]{0,8}|[ \t]{0,8}(?:\#[^\n]{0,200})?\r?\n[ \t#]{0,200}))"""
    r"""\\?["']?value\\?["']?[ \t]{0,4}:[ \t]{0,4}\\?(?P<quote>["']?)"""
)
_DEFAULT = re.compile(  # a template's own: `{{ .Values.db.password | default "changeme" }}`
    r"""(?<![\w-])(?P<name>[A-Za-z_]\w{1,80})[ \t]{0,4}\|[ \t]{0,4}default[ \t]{1,4}\\?(?P<quote>["'])"""
)
_BACKWARDS = re.compile(  # `value: x` and then `name: HF_TOKEN`
    r"""(?<![\w.-])["']?value["']?[ \t]{0,4}:[ \t]{0,4}(?P<quote>["']?)(?P<value>[^\s"',;}\]]{1,4096})["']?"""
    r"""(?:,[ \t]{0,8}|[ \t]{0,8}\r?\n[ \t#]{0,200})"""
    r"""["']?name["']?[ \t]{0,4}:[ \t]{0,4}["']?(?P<name>[A-Za-z_][\w.-]{1,80})"""
)
_NEXT_LINE = r"""[ \t]{0,8}\r?\n[ \t]{0,200}(?P<quote>["']?)(?P<value>[^\s"'-][^\s"']{0,4095})"""
_CONTINUED = re.compile(r"--(?P<name>[A-Za-z][\w-]{1,80})[ \t]{1,8}\\" + _NEXT_LINE)
_FOLDED = re.compile(r"--(?P<name>[A-Za-z][\w-]{1,80})" + _NEXT_LINE)
_CURL = re.compile(r"""\bcurl\b[^\n|;&]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:(?P<value>[^\s"'$]{1,256})""")
_VALUES = {
    '"': re.compile(r'[^"\\\n]{1,4096}'),
    "'": re.compile(r"[^'\n]{1,4096}"),
    "": re.compile(r"[^\s\"',;}\]]{1,4096}"),
}
_COMMENT = re.compile(r"(?m)(?:^|(?<=[ \t]))#[^\n]*")


def pairs(text: str) -> Iterator[Found]:
    """Values that stand right behind the name of a credential."""
    for found in chain(_PAIR.finditer(text), _DEFAULT.finditer(text)):
        value = _VALUES[found["quote"]].match(text, found.end())
        if value and is_secret_name(found["name"]) and is_secret_value(found["name"], value.group()):
            yield value.start(), value.end(), f"the value of {found['name']}"
    for found in chain(_BACKWARDS.finditer(text), _CONTINUED.finditer(text)):
        yield from _named(found, 0)
    for found in _CURL.finditer(text):
        yield found.start("value"), found.end("value"), "password of a request"


def folded(text: str, start: int) -> Iterator[Found]:
    """What stands on the line after a flag. For the inside of a value only: elsewhere that line is the next field."""
    for found in _FOLDED.finditer(text):
        yield from _named(found, start)


def _named(found: re.Match[str], shift: int) -> Iterator[Found]:
    if is_secret_name(found["name"]) and is_secret_value(found["name"], found["value"]):
        yield shift + found.start("value"), shift + found.end("value"), f"the value of {found['name']}"


def comments(text: str) -> Iterator[tuple[int, int]]:
    """Where a comment may begin and end. Inside a value the sign means nothing: the caller knows where those are."""
    for found in _COMMENT.finditer(text):
        yield found.start(), found.end()
