"""Load on a running server: many players of ours over the wire, and what became of it.

Read from the bottom up: `plan` says what is wanted, `histogram` and `tally` keep what was seen,
`choices` answer decisions, `wire` opens streams, `session` is one player, `audience` those who
watch, `tables` keeps tables going, `run` puts them together, `report` says what came of it.
"""
