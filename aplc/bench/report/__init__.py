"""What a run of the suite is shown as: tables, charts, a page, a terminal."""
