"""Rules that an organisation writes without code: a JSON path, a condition, and what to say where it holds."""
