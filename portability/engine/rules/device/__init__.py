"""Rules on device and library paths."""
