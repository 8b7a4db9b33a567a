"""The words of programs by their kinds, and their colours: for pages, and for editors."""
