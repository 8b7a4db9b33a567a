"""What each symbol of APL builds, for given arguments: overloads, identity items, operators."""
