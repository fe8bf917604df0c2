"""Application material: what code, scripts and lists of packages ask for, read and never run."""
