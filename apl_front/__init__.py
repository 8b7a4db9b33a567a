"""From APL text to TAIL: lexer, parser, infix resolution, overloads, elaboration."""
