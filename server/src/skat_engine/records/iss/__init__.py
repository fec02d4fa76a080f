"""Records of the International Skat Server: its SGF dialect and its house rules.

`frame` takes a line apart into properties, `moves` and `results` read the two that matter,
`reading` makes a record of them, and `house` replays it with the endings that only this server
knows. `writing` makes the line again.
"""

from skat_engine.records.iss.frame import record_id_in
from skat_engine.records.iss.reading import read_record
from skat_engine.records.iss.writing import write_record

__all__ = ["read_record", "record_id_in", "write_record"]
