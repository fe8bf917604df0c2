"""Rules on how a container is set up for devices; notes only."""
