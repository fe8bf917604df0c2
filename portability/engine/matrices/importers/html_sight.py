"""What of an HTML page a reader does not see, or sees crossed out: by attributes, classes and the page's own styles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?![.0-9])", re.IGNORECASE
)
_STRIKING = re.compile(r"line-through", re.IGNORECASE)
_HIDDEN_CLASSES = frozenset({"hidden", "d-none", "invisible"})
_READ_ALOUD = frozenset({"sr-only", "visually-hidden"})  # words beside an icon; a part of a table so hidden is none
_WORDS = frozenset({"span", "i", "em", "strong", "b", "small", "caption", "p"})
_STRUCK_CLASSES = frozenset({"strike", "strikethrough", "line-through"})
_STRUCK = frozenset({"del", "s", "strike"})
_NOT_SHOWN = frozenset({"noscript", "datalist"})
_PANELS = frozenset({"tab-pane", "sphinx-tabs-panel"})  # of tabs: hidden until a reader opens them
_SIMPLE = re.compile(r"(?:[a-z][a-z0-9]*)?([.#][A-Za-z_][\w-]*)")
_BRACES = re.compile(r"[{}]")


class Sight:
    """What a page's elements look like, as far as reading depends on it."""

    def __init__(self, root: Element) -> None:
        self._hidden: set[str] = {f".{name}" for name in _HIDDEN_CLASSES}
        self._struck: set[str] = {f".{name}" for name in _STRUCK_CLASSES}
        for style in root.iter("style"):
            for selectors, body in _rules(style.text or ""):
                for names, looks in ((self._hidden, _HIDING), (self._struck, _STRIKING)):
                    if looks.search(body):
                        simple = (_SIMPLE.fullmatch(each.strip()) for each in selectors.split(","))
                        names.update(found[1] for found in simple if found)

    def hidden(self, element: Element) -> bool:
        """Whether a reader does not see it."""
        if "hidden" in element.attrib or _HIDING.search(element.get("style", "")):
            return True
        if element.tag not in _WORDS and not _READ_ALOUD.isdisjoint(element.get("class", "").split()):
            return True
        return not self._hidden.isdisjoint(_names(element))

    def struck(self, element: Element) -> bool:
        """Whether it is crossed out."""
        return bool(_STRIKING.search(element.get("style", ""))) or not self._struck.isdisjoint(_names(element))

    def unseen(self, element: Element) -> bool:
        """Whether it is one of the two."""
        return self.hidden(element) or self.struck(element)

    def hides_a_part(self, element: Element) -> bool:
        """Whether what stands in it is not shown, or crossed out. What a tab holds is shown, once it is opened."""
        if element.tag in _STRUCK or element.tag in _NOT_SHOWN or self.struck(element):
            return True
        if element.tag == "dialog" and "open" not in element.attrib:
            return True
        is_panel = element.get("role") == "tabpanel" or not _PANELS.isdisjoint(element.get("class", "").split())
        return self.hidden(element) and not is_panel


def _names(element: Element) -> list[str]:
    """Its classes and its id, as a style's selector writes them."""
    return [*(f".{name}" for name in element.get("class", "").split()), f"#{element.get('id', '')}"]


def _rules(style: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of a style sheet; what holds for some media only is left out."""
    depth = at = 0
    selectors = ""
    for brace in _BRACES.finditer(style):
        if brace[0] == "{":
            depth += 1
            if depth == 1:
                selectors, at = style[at : brace.start()].strip(), brace.end()
        elif depth:
            depth -= 1
            if depth == 0:
                if not selectors.startswith("@"):
                    yield selectors, style[at : brace.start()]
                at = brace.end()
