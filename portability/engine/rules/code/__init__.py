"""Rules on application code, its packages and carried scripts."""
