"""Between the engine's and the tables' values and the wire, one function a type."""
