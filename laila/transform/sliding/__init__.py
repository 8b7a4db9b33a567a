"""Windows that slide over the rows of arrays: `row_reads` says which rows are read, `windows` makes them."""
