"""The tests. A folder that is named after a package holds its tests, those of sub-packages in folders too.

`programs` holds tests of whole programs on all targets, `project` those of the repository and its tools,
`support` what tests share. What lies beside them is a command, as are `campaign` and `fuzzing`:
`python -m tests.NAME`.
"""
