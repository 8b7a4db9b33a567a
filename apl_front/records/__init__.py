"""Arrays of records, and tables: what APL's functions and operators do with them."""
