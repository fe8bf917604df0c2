"""Command lines to settings: shell strings, lists, `--flag=value` and `--flag value`, underscores or dashes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from portability.engine.manifests.gather import Setting, Word
from portability.engine.model import Place

_FLAG = re.compile(r"^--?[A-Za-z]")
_ASSIGNED = re.compile(r"^([A-Za-z_]\w*)=(.*)$", re.DOTALL)
_VARIABLE = re.compile(r"\$\((\w+)\)|\$\{(\w+)(?::?[-=]([^}]*))?\}|\$(\w+)")
_SHELLS = re.compile(r"(?:^|/)(?:ba|z|da|)sh$")
_SHORT = "q"  # vLLM's short form of --quantization; to grep, wget and pip it says to be quiet
_SERVED = {"serve", "run", "pull", "api_server"}  # what stands between a program's name and its model
_PROGRAMS = {"vllm", "sglang", "trtllm-serve", "ollama", "lmdeploy", "mlc_llm"}
_PLAIN = re.compile(r"[^'\"\\# \t\r\n;&|]+")  # what ends no word and quotes nothing
_QUOTED = re.compile(r"[^'\"\\\n]+")
_MAX_TOKENS = 20_000


@dataclass(slots=True)
class Token:
    """One word of a command line, or what separates two commands."""

    text: str
    place: Place
    separates: bool = False


def tokens(words: list[Word]) -> list[Token]:
    """The words of a container's command and arguments, in the order in which they run."""
    found: list[Token] = []
    shell = False
    for word in sorted(words, key=lambda w: not w.first):
        text = word.text.strip()
        if _is_shell(text, shell, found):
            found.append(Token("", word.places[0], True))
            found += placed(split(word.text, word.places), word.folded)
            shell = False
            continue
        shell = shell or (
            bool(found) and text in ("-c", "-lc", "-ec", "-ce", "-cx", "-xc", "-exc") and _any_shell(found)
        )
        found.append(Token(text, word.places[0]))
        if len(found) > _MAX_TOKENS:
            break
    return found


def placed(found: list[Token], lines: list[tuple[str, Place]]) -> list[Token]:
    """Words of a text that was folded, each put on the line of the file that holds it."""
    at = 0
    for token in found:
        start = token.text.split(None, 1)[0] if token.text.strip() else ""
        for n in range(at, len(lines)):
            if start and start in lines[n][0]:
                token.place, at = lines[n][1], n
                break
    return found


def _any_shell(found: list[Token]) -> bool:
    return any(_SHELLS.search(token.text) for token in found[-4:])


def _is_shell(text: str, after_shell: bool, found: list[Token]) -> bool:
    """Whether an item holds a command line instead of one word."""
    if after_shell or "\n" in text:
        return True
    if len(text.split(None, 1)) < 2 or text[:1] in "{[":
        return False
    if text.startswith("-"):
        return "=" not in text.split(None, 1)[0] or bool(re.search(r"\s--\w", text))
    previous = found[-1].text if found else ""
    return not (_FLAG.match(previous) and "=" not in previous)


def split(text: str, places: list[Place]) -> list[Token]:
    """A shell string to its words, forgiving what a shell would not. One pass."""
    out: list[Token] = []
    word: list[str] = []
    quote, line, start, n, size = "", 0, 0, 0, len(text)

    def place(number: int) -> Place:
        return places[min(number, len(places) - 1)]

    def close() -> None:
        if word:
            out.append(Token("".join(word), place(start)))
            word.clear()

    while n < size and len(out) < _MAX_TOKENS:
        if not word:
            start = line
        run = (_QUOTED if quote else _PLAIN).match(text, n)
        if run:
            word.append(run[0])
            n = run.end()
            continue
        char = text[n]
        if char == "\n":
            line += 1
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"' and n + 1 < size and text[n + 1] in '"\\$`':
                n += 1
                word.append(text[n])
            else:
                word.append(char)
        elif char in "'\"":
            quote = char
            if n + 1 < size and text[n + 1] == char:
                word.append("")
        elif char == "\\" and n + 1 < size:
            n += 1
            if text[n] == "\n":
                line += 1
                close()
            elif text[n] not in " \t\r":
                word.append(text[n])
        elif char == "#" and not word:
            n = text.find("\n", n)
            if n < 0:
                break
            continue
        elif char in " \t\r":
            close()
        elif char in "\n;&|":
            close()
            out.append(Token(char, place(line - (char == "\n")), True))
        else:
            word.append(char)  # `#` inside a word
        n += 1
    close()
    return out


def expand(text: str, variables: Mapping[str, str]) -> str:
    """A text with the variables it names put in, those that are known; a shell's default where it gives one."""
    if "$" not in text:
        return text

    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2] or found[4]
        return variables.get(name) or found[3] or found.group()

    return _VARIABLE.sub(value, text)


def settings(found: list[Token], variables: dict[str, str], served: bool = False) -> list[Setting]:
    """The flags of command lines with their values, and the model that stands behind `vllm serve`.

    `served`: the image itself serves, so that the first plain argument is its model.
    """
    out: list[Setting] = []
    n = 0
    engines = served or bool(found and _FLAG.match(found[0].text))  # whether the command is an engine's own
    while n < len(found):
        token = found[n]
        n += 1
        if token.separates:
            engines = False
            continue
        text = token.text
        engines = engines or "vllm" in text
        assigned = _ASSIGNED.match(text) if "=" in text and not text.startswith("-") else None
        if assigned:
            variables.setdefault(assigned[1], expand(assigned[2], variables))
            continue
        if _FLAG.match(text):
            name, equals, value = text.lstrip("-").partition("=")
            place = token.place
            if not equals and n < len(found) and not found[n].separates and not _FLAG.match(found[n].text):
                value, place = found[n].text, found[n].place  # the value says which, so that it is where one looks
                n += 1
            if engines or name != _SHORT:
                out.append(Setting(flag_name(name), expand(value, variables).strip(), place))
            engines = engines or "vllm" in value  # `-m vllm.entrypoints…`
            continue
        if text.rpartition("/")[2] in _PROGRAMS and n < len(found):
            n = _skip_served(found, n)
            if (
                n < len(found)
                and not found[n].separates
                and not _FLAG.match(found[n].text)
                and "=" not in found[n].text
            ):
                out.append(Setting("model-tag", expand(found[n].text, variables), found[n].place))
        elif served and n == 1 and "/" in text:
            out.append(Setting("model-tag", expand(text, variables), token.place))
    return out


def _skip_served(found: list[Token], n: int) -> int:
    while n < len(found) and not found[n].separates and found[n].text in _SERVED:
        n += 1
    return n


def flag_name(name: str) -> str:
    """A flag's name as the tables have it."""
    return name.replace("_", "-").lower()
