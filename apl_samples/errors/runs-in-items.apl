⍝ What is made for each item has a structure that is known: a text with an array behind it has as many items as the text.
⍝ == error 4:2 UNSUPPORTED: {⍵,⊂1 2}, applied to items, with a result of unlike items, whose number only the run knows, is not supported yet
words←' '(≠⊆⊢)'ann bo'
{⍵,⊂1 2}¨words
