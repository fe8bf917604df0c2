"""What a page says, as far as it tells one day's page from another's: its text without markup, scripts and navigation.

No parser: nothing is read off a page here, two of its states are only compared. This takes time in proportion to the
page's length, whatever it holds.
"""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass

from portability.engine.matrices.importers.documents import document, without_comments
from portability.engine.matrices.importers.reading import Kind

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?P<rest>[^<>]*)>")
_NO_TEXT = frozenset({"script", "style", "template", "noscript", "svg", "title"})
_AROUND = frozenset({"nav", "header", "footer", "aside", "form", "button"})  # the frame of a page
_INLINE = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "kbd", "samp", "small", "span", "strong", "sub", "sup", "wbr"}
)
_ROLE_MAIN = re.compile(r"\brole\s*=\s*[\"']?main\b", re.IGNORECASE)
_REFRESH = re.compile(r"\bhttp-equiv\s*=\s*[\"']?refresh\b", re.IGNORECASE)
_REFRESH_TO = re.compile(r"\burl\s*=\s*['\"]?([^'\"\s>;]{1,300})", re.IGNORECASE)
_WHAT = r"(?:page|document|documentation|site|content|section|article|matrix|table|guide|repository|project)s?"
_NOTICE = re.compile(
    rf"\b(?:this|these|the) (?:[\w-]+ ){{0,4}}{_WHAT}(?: [\w-]+){{0,3}} (?:has|have|was|were|is|are) "
    r"(?:now )?(?:been )?(?:moved|relocated|migrated|superseded|replaced|retired|archived|deprecated|discontinued"
    r"|no longer (?:maintained|updated))\b[^.!\n]{0,120}",
    re.IGNORECASE,
)
_TOP, _BEGINNING = 4000, 2000  # characters: banners stand above the frame, notices at the beginning of the text


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page, its spaces made one each; and where the page says that it moved, what it says."""

    kind: Kind
    text: str
    moved: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of the text: what tells two states of a page apart."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def page_text(name: str, content: bytes) -> PageText:
    """What a document says. Raises InputError where it is no text."""
    read = document(name, content)
    if read.kind != Kind.HTML:
        text = _plain(read.text)
        return PageText(read.kind, text, _notice(text[:_BEGINNING]))
    reader = _Reader()
    reader.read(without_comments(read.text))
    main = _plain("".join(reader.main)) or _plain("".join(reader.unframed))
    everything = _plain("".join(reader.everything))
    moved = f"it sends its readers to {reader.refresh}" if reader.refresh else ""
    return PageText(read.kind, main, moved or _notice(everything[:_TOP]) or _notice(main[:_BEGINNING]))


class _Reader:
    """Text by where it stands: in the main part, outside the frame, anywhere."""

    def __init__(self) -> None:
        self.main: list[str] = []
        self.unframed: list[str] = []
        self.everything: list[str] = []
        self.refresh = ""
        self._around: list[str] = []  # elements of the frame that are open
        self._main = ""  # the name of the main element while it is open, and how many of that name are open
        self._depth = 0

    def read(self, text: str) -> None:
        at, silent = 0, ""
        for tag in _TAG.finditer(text):
            name, ends = tag["name"].lower(), bool(tag["end"])
            if silent:
                if ends and name == silent:
                    silent, at = "", tag.end()
                continue
            self._say(html.unescape(text[at : tag.start()]) + ("" if name in _INLINE else " "))
            at = tag.end()
            if name in _NO_TEXT and not ends:
                silent = name
            elif name == "meta" and _REFRESH.search(tag["rest"]):
                to = _REFRESH_TO.search(tag["rest"])
                self.refresh = self.refresh or (html.unescape(to[1]) if to else "")
            self._step(name, ends, tag["rest"])
        if not silent:
            self._say(html.unescape(text[at:]))

    def _step(self, name: str, ends: bool, rest: str) -> None:
        """Keep count of the main element and of the frame."""
        if name in _AROUND:
            if not ends:
                self._around.append(name)
            elif name in self._around[-20:]:
                while self._around.pop() != name:
                    pass
        if not self._main and not ends and (name == "main" or _ROLE_MAIN.search(rest)):
            self._main, self._depth = name, 1
            self._around = []  # what is open around the main part is none of its frame
        elif self._main == name:
            self._depth += -1 if ends else 1
            if not self._depth:
                self._main = ""

    def _say(self, text: str) -> None:
        self.everything.append(text)
        if not self._around:
            self.unframed.append(text)
            if self._main:
                self.main.append(text)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _notice(text: str) -> str:
    found = _NOTICE.search(text)
    return f"it says: “{found[0].strip()[:200]}”" if found else ""
