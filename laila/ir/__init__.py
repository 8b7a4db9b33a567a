"""The languages of Laila, and what is asked of them.

Scalar expressions (`scalar`), programs of SOACs (`program`, `statements`) and the loops that they become
(`loops`); making, simplifying and substituting expressions, their ranges, liveness of buffers, checkers and
the text form. Nothing here decides how a program is computed. It imports nothing of the other rooms.
"""
