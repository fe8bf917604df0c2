"""Rules about the published knowledge itself."""
