"""The revisions of the schema, oldest first in `versions/`; run by `storage/revisions.py`."""
