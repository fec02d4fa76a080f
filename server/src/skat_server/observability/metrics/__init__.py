"""What the server counts: declared once, kept as plain numbers, shown to Prometheus."""
