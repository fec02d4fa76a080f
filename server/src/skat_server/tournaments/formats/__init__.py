"""The formats of events. Each is a pure function from results so far to what is played next."""
