"""The organisation's own rules, written without code: entering, trying, judging by and switching off."""
