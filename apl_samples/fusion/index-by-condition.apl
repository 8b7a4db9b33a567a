⍝ A condition as an index chooses one of two elements; a residue that changes nothing is not computed.
⍝ == input c char 20: 'abacabadabacabadabac'
⍝ == input d char 3: 'xyz'
⍝ == output yxyxyxyxyxyxyxyxyxyx
⍝ == output zxzxzxzxzxzxzxzxzxzx
⍝ == structure {modulo 0, branches 0}
⎕←(d[1 2])[1+5|c='a']
⎕←d[1+2×c∊'a']
