"""Benchmarks: `make bench`. They print, and judge nothing."""
