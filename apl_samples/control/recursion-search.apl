⍝ Binary search by ∇: the place in a sorted vector, or 0.
⍝ == input v int 8: 2 3 5 7 11 13 17 19
⍝ == input e int 0:
⍝ == output 4
⍝ == output 1 8 0 0 0 6
⍝ == output 0
⍝ == output 7
search←{
    v←⍺ ⋄ x←⍵
    {
        (lo hi)←⍵
        lo>hi: 0
        mid←⌊(lo+hi)÷2
        x=v[mid]: mid
        x<v[mid]: ∇ lo(mid-1)
        ∇(mid+1)hi
    }1(≢v)
}
⎕←v search 7
⎕←{v search ⍵}¨2 19 4 20 1 13
⎕←e search 5
⎕←v{v←⍺ ⋄ v search ⍵}17
