"""What the rounds of a loop carry: elements as scalars, the ranges of what rounds give, columns apart."""
