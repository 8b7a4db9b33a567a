⍝ Numbers up to 255 are bytes without a sign, also where a loop in threads is given one of them: they were negative.
⍝ == input b uint8 3: 255 7 200
⍝ == input w uint16 2: 65535 1
⍝ == output 255 255 7 7 200 200
⍝ == output 65535 65535 65535 1 1 1
⎕←2\b
⎕←3\w
