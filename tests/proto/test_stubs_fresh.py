"""The committed stubs are what the generator makes of the .proto files, and nothing else."""

import re
import tomllib

from proto import generate

STUBS = generate.GENERATED / "skat" / "v1"


def lower_bound(name: str) -> str:
    """The oldest version of a package that skat-proto accepts."""
    text = (generate.PROTO_ROOT / "pyproject.toml").read_text()
    dependencies: list[str] = tomllib.loads(text)["project"]["dependencies"]
    (bound,) = (line for line in dependencies if line.startswith(f"{name}>="))
    return bound.partition(">=")[2]


def stated(pattern: str, files: str) -> set[str]:
    """What ``pattern`` captures in the stubs whose names match ``files``."""
    texts = [path.read_text(encoding="utf-8") for path in STUBS.glob(files)]
    return {version for text in texts for version in re.findall(pattern, text)}


def test_stubs_are_fresh() -> None:
    generate.check_stubs(generate.PROTO_ROOT, generate.GENERATED)


def test_messages_want_the_protobuf_that_the_distribution_asks_for() -> None:
    wanted = stated(r"Protobuf Python Version: (\S+)", "*_pb2.py")
    assert wanted == {lower_bound("protobuf")}


def test_services_want_the_grpcio_that_the_distribution_asks_for() -> None:
    wanted = stated(r"GRPC_GENERATED_VERSION = '(\S+)'", "*_pb2_grpc.py")
    assert wanted == {lower_bound("grpcio")}
