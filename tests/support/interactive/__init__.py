"""Programs that one works with, as tests work with them: notebooks, a browser."""
