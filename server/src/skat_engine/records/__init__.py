"""Records of deals: read, written and replayed.

Three sources are read: our own records, games logged by XSkat, and records of the
International Skat Server. Each becomes a `Record`; `replay` plays it and says whether
everything in it comes out again. Summaries of deals are read as well, and scored.
"""

from skat_engine.records.files import FileForm, form_of, lines_of, read_lines, replay_lines
from skat_engine.records.model import Expected, Record
from skat_engine.records.oracle import ScoredRow, score_lines
from skat_engine.records.outcomes import Differs, Identical, ReplayOutcome, Unreadable
from skat_engine.records.own import from_json_line, new_record, to_json_line
from skat_engine.records.replay import replay

__all__ = [
    "Differs",
    "Expected",
    "FileForm",
    "Identical",
    "Record",
    "ReplayOutcome",
    "ScoredRow",
    "Unreadable",
    "form_of",
    "from_json_line",
    "lines_of",
    "new_record",
    "read_lines",
    "replay",
    "replay_lines",
    "score_lines",
    "to_json_line",
]
