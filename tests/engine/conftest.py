"""Settings of the property tests: examples are bounded by number, not by time.

A time limit for an example would measure the machine and what else runs on it.
"""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
