"""PlayService: sessions over a stream, and over single calls."""
