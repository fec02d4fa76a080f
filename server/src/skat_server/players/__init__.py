"""Who the callers are."""
