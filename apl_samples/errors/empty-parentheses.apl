⍝ == error 2:3 SYNTAX ERROR: nothing inside ( ): write ⍬
1,()
