⍝ A vector that nobody writes has no more elements than there are addresses, either: no index and no length wraps.
⍝ == input n int: 9223372036854775807
⍝ == input v int 3: 7 8 9
⍝ == error 6:9 WS FULL: no memory for an array of 9223372036854775807 elements
v←v[⍋v]
⎕←≢v,|v←(-n)↑v
