"""From text to syntax trees: glyphs, tokens, the grammar, annotations in comments."""
