"""Sorting, grades and keys: no more of an order is made than is used, and keys are numbered once."""
