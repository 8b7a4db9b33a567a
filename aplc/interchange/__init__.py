"""Arrays of arrays from other libraries and for them: lists, arrays of objects, Awkward Array, Arrow."""
