"""The organiser's side of the wire: what the command line asks of a running server."""
