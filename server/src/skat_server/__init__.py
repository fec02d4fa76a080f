"""A game server for Skat: tables, players and streams over gRPC."""
