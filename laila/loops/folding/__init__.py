"""Ways to cut the loop of a long fold: blocks, halves, squares, lanes. `loops.folds` tries them in order."""
