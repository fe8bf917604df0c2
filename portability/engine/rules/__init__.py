"""The rule catalogue: one rule, one file, grouped by family; `catalogue.rules()` finds them all."""
