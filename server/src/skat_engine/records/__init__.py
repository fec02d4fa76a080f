"""Records of deals: read, written and replayed.

Three sources are read: our own records, games logged by XSkat, and records of the
International Skat Server. Each becomes a `Record`; `replay` plays it and says whether
everything in it comes out again. Two forms are written: our own, and the notation of the
International Skat Server. Summaries of deals are read as well, and scored.
"""

from skat_engine.records.converting import (
    Conversion,
    Converted,
    NotConvertible,
    convert_lines,
    to_line,
)
from skat_engine.records.files import FileForm, form_of, lines_of, read_lines, replay_lines
from skat_engine.records.model import Expected, Record
from skat_engine.records.oracle import ScoredRow, score_lines
from skat_engine.records.outcomes import Differs, Identical, ReplayOutcome, Unreadable
from skat_engine.records.own import from_json_line, new_record, to_json_line
from skat_engine.records.replay import replay
from skat_engine.records.timekeeping import ClockPolicy, Fault, FaultCause, Timekeeping
from skat_engine.records.unsayable import Unsayable, UnsayableError
from skat_engine.records.verifying import (
    Check,
    CheckKind,
    CheckOutcome,
    is_verified,
    verify,
)

__all__ = [
    "Check",
    "CheckKind",
    "CheckOutcome",
    "ClockPolicy",
    "Conversion",
    "Converted",
    "Differs",
    "Expected",
    "Fault",
    "FaultCause",
    "FileForm",
    "Identical",
    "NotConvertible",
    "Record",
    "ReplayOutcome",
    "ScoredRow",
    "Timekeeping",
    "Unreadable",
    "Unsayable",
    "UnsayableError",
    "convert_lines",
    "form_of",
    "from_json_line",
    "is_verified",
    "lines_of",
    "new_record",
    "read_lines",
    "replay",
    "replay_lines",
    "score_lines",
    "to_json_line",
    "to_line",
    "verify",
]
