"""An event in files, and the check that they are right; neither needs a server."""
