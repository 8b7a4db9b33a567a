"""Points side by side: short rows that they gather, or run along, and powers that they share."""
