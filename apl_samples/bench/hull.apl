⍝ The convex hull of points in the plane by Quickhull: the numbers of its points, clockwise from the leftmost
⍝ one. What lies to the left of a line goes on with the lines from its ends to the highest point.
⍝ == output 1 4 3 2
⍝ == output 2 1 3
hull ← {
    x y ← ↓⍵
    side ← {
        p q ← ⍺
        height ← ((x[q]-x[p])×y[⍵]-y[p])-(y[q]-y[p])×x[⍵]-x[p]
        left ← (0<height)/⍵
        0=≢left: ,p
        top ← ⍵[height⍳⌈/height]
        ∊(p top)(top q)∇¨⊂left
    }
    p q ← (x⍳⌊/x),x⍳⌈/x
    all ← ⍳≢x
    (p q side all),q p side all
}
⎕←hull 2 6⍴0 1 2 0 1 0.5 0 0 2 2 1 0.25
⎕←hull 2 4⍴1 0 3 1 2 0 0 1
