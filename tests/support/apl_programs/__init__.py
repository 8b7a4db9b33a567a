"""Random APL programs as text, with inputs for them."""
