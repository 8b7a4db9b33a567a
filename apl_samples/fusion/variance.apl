⍝ The squares are summed as they come; that mean asks for their number, too, is no reason to store them.
⍝ == input v double 4: 1 2 3 6
⍝ == output 3.5
⍝ == structure {loops 2, simd 2, allocs 0, modulo 0, branches 0}
mean ← +/÷≢
{mean 2*⍨⍵-mean ⍵}v
