"""A document to its tables, by its kind. Each parser is imported when a document of its kind is read."""

from __future__ import annotations

from portability.engine.matrices.importers.reading import Document, Kind
from portability.engine.matrices.importers.tables import Page


def page(document: Document) -> Page:
    """Its titles and tables. Raises InputError where they cannot be read safely."""
    if document.kind is Kind.HTML:
        from portability.engine.matrices.importers import html_pages

        return html_pages.page(document)
    if document.kind is Kind.RST:
        from portability.engine.matrices.importers import rst_pages

        return rst_pages.page(document)
    from portability.engine.matrices.importers import markdown_pages

    return markdown_pages.page(document)
