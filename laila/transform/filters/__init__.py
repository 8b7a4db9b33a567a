"""Filters of which less is wanted than an array of what they keep, or which are made otherwise."""
