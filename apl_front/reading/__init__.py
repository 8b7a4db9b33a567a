"""What a sequence of names and glyphs means: name classes, scopes, strands, trains, assignment targets.

The grammar leaves sequences as they are, since only the names in scope tell functions from arrays.
"""
