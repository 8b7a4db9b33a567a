"""Asking for memory some time before it is read: passes from loops to loops, and what they share.

`rows` does so for short rows of unlike lengths, `gathers` for elements that are read where data tell.
"""
