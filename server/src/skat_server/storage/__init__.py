"""Where the log of every table lives."""
