"""The store on a disk: one SQLite file, one thread that writes, one that reads."""
