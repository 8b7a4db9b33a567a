"""The command `aplc explain`: what is fused, written and moved, as text and as a graph, and why."""
