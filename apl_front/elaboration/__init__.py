"""From syntax trees to TAIL: the elaborator, sole producer of terms, and what it asks for each construct."""
