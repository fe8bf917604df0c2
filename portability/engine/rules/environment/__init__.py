"""Rules on environment variables."""
