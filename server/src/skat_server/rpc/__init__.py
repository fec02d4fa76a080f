"""The only part of the server that knows gRPC and the wire."""
