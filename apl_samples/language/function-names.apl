⍝ Functions may be named: primitives, derived functions, trains, compositions. What they use is looked up where they
⍝ were defined, with the value that it has when they are called.
⍝ == output 6
⍝ == output 2
⍝ == output 8
⍝ == output 3 5
⍝ == output 1 4 9
⍝ == output 15
⍝ == output 3
⍝ == output 30
sum←+/ ⋄ ⎕←sum 1 2 3
mean←+/÷≢ ⋄ ⎕←mean 1 2 3
dot←+.× ⋄ ⎕←1 2 dot 2 3
inc←1∘+ ⋄ ⎕←inc 2 4
sq←×⍨ ⋄ ⎕←sq¨⍳3
plus←+ ⋄ ⎕←plus/⍳5
max←⌈/ ⋄ spread←max-⌊/ ⋄ ⎕←spread 4 1 3
k←2 ⋄ times←{k×⍵} ⋄ k←10 ⋄ ⎕←times 3
