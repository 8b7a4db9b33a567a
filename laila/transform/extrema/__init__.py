"""The places of extrema, as `v⍳⌈/v`: one loop finds both.

`searches` recognises what seeks the place of a number, `lifting` brings the extremum to where its elements
are made, before fusion, and `bounding` lets the search begin near it, after fusion.
"""
