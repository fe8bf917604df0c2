"""What an HTML page writes on a tab or a fold: it may say for what the tables in it hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import Element

from portability.engine.matrices.importers.tables import plain

_LIMIT_WORDS = 300
_LIMIT_ELEMENTS = 100


class Labels:
    """The labels of a page's elements: on them, before them, or where they say that it stands."""

    def __init__(self, root: Element) -> None:
        self._named: dict[str, Element] = {}
        self._before: dict[Element, Element] = {}
        for parent in root.iter():
            if "id" in parent.attrib:
                self._named.setdefault(parent.attrib["id"], parent)
            label: Element | None = None
            for child in parent:
                if child.tag == "label":
                    label = child
                elif label is not None and child.tag in ("div", "section", "article"):
                    self._before[child] = label
                    label = None

    def of(self, element: Element) -> Iterator[str]:
        """What is written on an element that holds tables."""
        if told := element.get("aria-label", ""):
            yield told[:_LIMIT_WORDS]
        others = [self._named.get(name) for name in element.get("aria-labelledby", "").split()[:2]]
        summary = element.find("summary") if element.tag == "details" else None
        for other in (*others, self._before.get(element), summary):
            if other is not None and other is not element:
                yield _words(other)


def _words(label: Element) -> str:
    """The beginning of what a label says, of however much there is."""
    pieces = [label.text or ""]
    for element in islice(label.iter(), 1, _LIMIT_ELEMENTS):
        pieces += [element.text or "" if isinstance(element.tag, str) else "", element.tail or ""]
    return plain("".join(pieces)[:_LIMIT_WORDS])
