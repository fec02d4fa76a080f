"""One game at a table: seats, deals, decisions, and what each viewer is sent."""
