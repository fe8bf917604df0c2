"""Rules on how nodes are chosen."""
