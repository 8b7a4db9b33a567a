"""Random expressions of APL that know their value: the productions of `tests.tier1_programs`."""
