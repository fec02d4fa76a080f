"""``skat-server healthcheck``: asks a server whether it lives, for containers and scripts."""

import urllib.error
import urllib.request
from typing import Annotated, Final

import typer

EXIT_UNWELL: Final = 1
LONGEST: Final = 3.0
"""Seconds that a server may take to answer."""
_NO_PROXY: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def healthcheck(
    url: Annotated[
        str,
        typer.Argument(
            metavar="[URL]",
            envvar="SKAT_HEALTH_URL",
            help="What to ask: /healthz says whether it lives, /readyz whether it takes new work.",
        ),
    ] = "http://127.0.0.1:9464/healthz",
) -> None:
    """Ask a server on its port of metrics and health (--metrics-port) whether it is well.

    Exit code: 0 it is, 1 it says no or does not answer.
    """
    if not url.startswith("http://"):
        typer.echo(f"{url} is no address that begins with http://", err=True)
        raise typer.Exit(EXIT_UNWELL)
    try:
        with _NO_PROXY.open(url, timeout=LONGEST) as answer:
            typer.echo(answer.read().decode(errors="replace").strip())
    except urllib.error.HTTPError as error:
        typer.echo(error.read().decode(errors="replace").strip(), err=True)
        raise typer.Exit(EXIT_UNWELL) from error
    except OSError as error:
        typer.echo(f"{url} does not answer: {_why(error)}", err=True)
        raise typer.Exit(EXIT_UNWELL) from error


def _why(error: OSError) -> str:
    """What is in the way, in the words of the machine."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    return (cause.strerror if isinstance(cause, OSError) else None) or str(cause)
