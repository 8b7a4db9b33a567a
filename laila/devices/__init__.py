"""From SOACs to kernels: what runs on the device, how work-items share it, and what is transferred."""
