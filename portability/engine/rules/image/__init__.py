"""Rules on container images."""
