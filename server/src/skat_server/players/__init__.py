"""Who the callers are, what they may, and who of them has played too fast with wrong tokens."""
