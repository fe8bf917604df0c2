"""Setting up, starting, watching and copying a register."""
