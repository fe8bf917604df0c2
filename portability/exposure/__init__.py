"""What would stop if supply of a vendor slipped: the first page. It reads the register and stores nothing."""
