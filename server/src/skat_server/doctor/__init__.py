"""Looks at everything that a server needs before it is needed, and says what to do."""
