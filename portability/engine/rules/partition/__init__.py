"""Rules about partitioned GPUs: modes, counts and memory."""
