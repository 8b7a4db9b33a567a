⍝ The convex hull by Quickhull, each side of a line by the function itself: (0,0) (4,0) (4,3) (0,3) are
⍝ corners, (2,4) lies above them, (2,1) and (1,2) inside. From the leftmost point, the first of two,
⍝ clockwise.
⍝ == output  0 0  0 3  2 4  4 3  4 0 
⍝ == output 5
⍝ == output  0 0  2 2 
hull←{
    side←{
        p q←⍺
        height←{(-/(q-p)×⌽⍵-p)}¨⍵
        left←(0<height)/⍵
        0=≢left:,⊂p
        top←⊃left[⊃⍒(0<height)/height]
        ((p top)∇left),(top q)∇left
    }
    order←⍵[⍋⊃¨⍵]
    p q←(⊃order)(⊃⌽order)
    ((p q)side ⍵),(q p)side ⍵
}
points←(0 0)(2 1)(4 0)(1 2)(4 3)(0 3)(2 4)
⎕←hull points
⎕←≢hull points
⎕←hull(1 1)(0 0)(2 2)
