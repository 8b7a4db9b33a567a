"""Functions of the user's: specialised by use, proved where annotated, inferred where not."""
