⍝ Sobol numbers by Gray code: number k is the exclusive or of the direction numbers at the set bits of k's Gray code. In
⍝ one dimension the direction number of bit j is 2*31-j: van der Corput's sequence, in another order. Every 2*m of them
⍝ fall into 2*m different intervals.
⍝ == input n int: 16
⍝ == output 0.5 0.75 0.25 0.375 0.875 0.625 0.125
⍝ == output 0 0.5 0.75 0.25 0.375 0.875 0.625 0.125 0.1875 0.6875 0.9375 0.4375 0.3125 0.8125 0.5625 0.0625
⍝ == output 1
⍝ == output 0.46875
dirs←1 ⎕INT32SHL 30-⍳30
gray←{⍵ ⎕INT32XOR ⍵ ⎕INT32SHR 1}
bits←{0≠⍵ ⎕INT32AND 1 ⎕INT32SHL ¯1+⍳30}
sobol←{(⎕INT32XOR/dirs×bits gray ⍵)÷2*30}
⎕←sobol¨⍳7
u←sobol¨¯1+⍳n
⎕←u
⎕←(¯1+⍳n)≡⌊(n×u)[⍋u]
⎕←(+/u)÷n
