"""Arrays for tests."""
