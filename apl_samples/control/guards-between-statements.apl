⍝ Guards between assignments: what stands behind a guard that holds does not happen, printing included.
⍝ == input n int: 6
⍝ == output 12
⍝ == output small
⍝ == output 108 4
⍝ == output small
⍝ == output smaller
⍝ == output 102
⍝ == output five or more
⍝ == output nearly
⍝ == output less
f←{
    x←⍵×2
    x>10: ,x
    ⎕←'small'
    x←x+100
    x>105: x,⍵
    ⎕←'smaller'
    ,x
}
⎕←f n
⎕←f 4
⎕←f 1
g←{k←⍵ ⋄ k≥5: 'five or more' ⋄ k←k+1 ⋄ k≥5: 'nearly' ⋄ 'less'}
⎕←g n
⎕←g 4
⎕←g 3
