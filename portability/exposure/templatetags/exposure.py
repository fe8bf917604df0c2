"""Filters for the exposure page."""

from __future__ import annotations

from django import template

from portability.engine.rules.catalogue import rule

register = template.Library()


@register.filter
def rule_and_words(part: str) -> tuple[str, str]:
    """An obstacle as the id of its rule and the words: its own, or what the rule is called where it has none."""
    id_, _, words = part.partition(" ")
    known = rule(id_)
    return id_, words or (known.name.replace("-", " ") if known else "")
