"""The report of an event: one HTML file with its plots inside, readable without a network."""
