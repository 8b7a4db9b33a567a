"""Which buffers are one: their live ranges, and whose memory goes on under which name."""
