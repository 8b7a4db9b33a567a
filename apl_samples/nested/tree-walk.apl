⍝ A tree by the parent of each node, 0 for the root: children, ways from the root, depths, sizes, and
⍝ preorder.
⍝ == output  2 3  4 5  6          
⍝ == output  1  1 2  1 3  1 2 4  1 2 5  1 3 6 
⍝ == output 0 1 1 2 2 2
⍝ == output 6 3 2 1 1 1
⍝ == output 1 2 4 5 3 6
⍝ == output a   
⍝ == output  b  
⍝ == output   d 
⍝ == output   e 
⍝ == output  c  
⍝ == output   f 
parent←0 1 1 2 2 3
children←{⍸parent=⍵}¨⍳≢parent
⎕←children
path←{0=⍵:⍬ ⋄ (∇parent[⍵]),⍵}
⎕←path¨⍳6
⎕←depth←¯1+≢¨path¨⍳6
size←{0=≢below←⍵⊃children:1 ⋄ 1++/∇¨below}
⎕←size¨⍳6
preorder←{0=≢below←⍵⊃children:,⍵ ⋄ ⍵,∊∇¨below}
⎕←preorder 1
⎕←↑{(depth[⍵]⍴' '),'abcdef'[⍵]}¨preorder 1
