"""Template tags of the exposure room."""
