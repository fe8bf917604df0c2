"""Published compatibility knowledge: cells under stable keys, and lookups that record what they read."""
