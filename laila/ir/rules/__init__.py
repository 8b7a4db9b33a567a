"""Rules by which expressions become simpler, a kind of them in each module."""
