"""Joins what happens in the server with what its operator sees of it: numbers and log lines."""
