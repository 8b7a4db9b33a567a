"""Tables that tests go through: programs, and what becomes of them."""
