"""Products of rows and columns, and folds over pairs: which they are, and in what form they are made."""
