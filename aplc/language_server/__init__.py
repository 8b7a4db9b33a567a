"""What editors ask about a program: text in, the data of the Language Server Protocol out.

    document = Document(text)       its words and names, at once
    document.check()                its types and errors, which takes longer
    hover(document, position)       and the other functions of `features`: plain dictionaries and lists

Nothing of it needs pygls but `server`, which speaks the protocol.
"""
