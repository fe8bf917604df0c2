"""Workload portability register: which GPU workloads could move to another vendor, and why."""

__version__ = "0.1.0"
