"""What cuts across all calls."""
