"""Products of rows and columns: which maps and folds they are, and in what form they are made."""
