"""Rules on command lines."""
