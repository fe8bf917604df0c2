"""Rules on devices asked for or shared out by name."""
