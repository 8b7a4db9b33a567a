⍝ Short rows, each scaled to its own extent: sixteen rows at a time, as rows of five are too short for lanes of their own.
⍝ == case more rows than a strip has
⍝ == input m double 18 5: arange
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == output 0 0.25 0.5 0.75 1
⍝ == case a row that has no extent
⍝ == input m double 2 5: 1 2 3 4 6 7 7 7 7 7
⍝ == output 0 0.2 0.4 0.6 1
⍝ == output 1 1   1   1   1
{(⍵-⌊/⍵)÷(⌈/⍵)-⌊/⍵}⍤1⊢m
