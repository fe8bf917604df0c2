"""Tests of the rules, one folder a rule."""
