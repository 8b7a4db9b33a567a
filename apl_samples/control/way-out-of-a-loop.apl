⍝ One way through a round changes an array in place and goes on, the other ends the loop and hands the array out: it
⍝ has not been changed on that way, so it need not be copied.
⍝ == input edges int 6 2: 1 2 3 4 2 3 5 6 4 1 7 5
⍝ == output 2
⍝ == output 3 10
⍝ == structure {allocs 0}
∇ c←n unions e;f;i;a;b
f←⍳n
:For i :In ⍳≢e
    a←e[i;1]
    :While f[a]≠a
        f[a]←f[f[a]]
        a←f[a]
    :EndWhile
    b←e[i;2]
    :While f[b]≠b
        f[b]←f[f[b]]
        b←f[b]
    :EndWhile
    f[a]←b
:EndFor
c←+/f=⍳n
∇
∇ r←halved v;f;g;i;a
f←g←2⍴0
:For i :In v
    a←i
    :While a>1
        :If 2|a
            f[1]+←1
            a-←1
        :Else
            g[2]+←1+f[1]
            a←⌊a÷2
        :EndIf
    :EndWhile
:EndFor
r←f[1],g[2]-f[1]
∇
⎕←7 unions edges
⎕←halved 3 7 2
