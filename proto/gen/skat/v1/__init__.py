"""Generated from the .proto files by proto/generate.py. Do not edit."""
