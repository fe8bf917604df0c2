"""Rules on metrics and exporters."""
