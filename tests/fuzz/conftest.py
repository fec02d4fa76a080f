"""The fuzzer's own program is left alone: it needs a package that only `make fuzz` installs."""

collect_ignore = ["target.py"]
