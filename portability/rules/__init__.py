"""The catalogue of rules, as pages."""
