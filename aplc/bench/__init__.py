"""Measuring: compiled APL beside the same computation written by hand in C."""
