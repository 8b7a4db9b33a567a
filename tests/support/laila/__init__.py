"""Programs and expressions of Laila, made and looked at."""
