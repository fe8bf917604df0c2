"""Rules on kinds that one vendor's operator serves."""
