"""Who the player is: tokens, where they come from and where they are kept."""

import logging
import os
import secrets
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from skat_client.errors import ConfigurationError

TOKEN_VARIABLE: Final = "SKAT_TOKEN"  # noqa: S105 - the name of a variable, no secret
TOKEN_FILE_VARIABLE: Final = "SKAT_TOKEN_FILE"  # noqa: S105 - the same

_LENGTHS: Final = range(16, 201)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

_log = logging.getLogger("skat_client")


def new_token() -> str:
    """A new random token: who presents it becomes a player of his own."""
    # No other alphabet: one that begins with a dash looks like an option on a command line.
    return secrets.token_hex(32)


def player_token(token: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The token given, else the one in the environment or in its file, else a new random one.

    Raises:
        ConfigurationError: it is not 16 to 200 printable characters without blanks, or its file
            cannot be used.
    """
    token = token or environment.get(TOKEN_VARIABLE)
    if token is None or not token:
        file = environment.get(TOKEN_FILE_VARIABLE)
        token = token_in(Path(file)) if file else new_token()
    return check_token(token)


def check_token(token: str) -> str:
    """The token as it is.

    Raises:
        ConfigurationError: no server takes it.
    """
    if len(token) not in _LENGTHS or not (token.isascii() and token.isprintable()):
        raise ConfigurationError("a token has 16 to 200 printable ASCII characters")
    if " " in token:
        raise ConfigurationError("a token has no blanks")
    return token


def token_in(path: Path) -> str:
    """The token that a file holds; it is made with a new one when it is not there.

    Raises:
        ConfigurationError: it cannot be read or made, or holds no token.
    """
    try:
        text = path.read_text(encoding="ascii").strip()
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            _log.warning("others can read %s: whoever has a token plays for you", path)
    except FileNotFoundError:
        return write_token(path, new_token())
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"cannot read the token in {path}: {error}") from error
    try:
        return check_token(text)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path} holds no token: {error}") from error


def write_token(path: Path, token: str) -> str:
    """Make a file with a token, for nobody but its owner; the token.

    Somebody else may make it at the same time: then all of them use the one that was there first.

    Raises:
        ConfigurationError: it cannot be made.
    """
    if path.is_symlink() and not path.exists():
        # It is there and it is not: we would find the one and miss the other for ever.
        raise ConfigurationError(f"{path} leads to a file that is not there; remove it")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Only its owner may read a temporary file, and it gets its name when it is complete.
        with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:
            file.write(token + "\n")
            file.flush()
            os.link(file.name, path)
    except FileExistsError:
        return token_in(path)
    except OSError as error:
        raise ConfigurationError(f"cannot keep the token in {path}: {error}") from error
    return token


def token_metadata(token: str) -> tuple[tuple[str, str], ...]:
    """What tells the server who calls."""
    return (("authorization", f"Bearer {token}"),)
