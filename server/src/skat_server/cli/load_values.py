"""The values of the options of ``load``, read from what was typed."""

from pathlib import Path

from skat_server.remote.load.plan import (
    SLOW_SECONDS,
    STORM_SHARE,
    LoadBot,
    PlanError,
    Storms,
)


def parse_bots(text: str) -> tuple[LoadBot, ...]:
    """Who sits at a table, seat by seat.

    Raises:
        PlanError: nobody has one of these names.
    """
    names = {bot.value: bot for bot in LoadBot}
    unknown = [name for name in text.split(",") if name not in names]
    if unknown:
        raise PlanError(f"--bots: there is no {unknown[0]!r}; use some of {', '.join(names)}")
    return tuple(names[name] for name in text.split(","))


def storms_of(every: float | None, share: float | None) -> Storms | None:
    """What cuts connections, of two options; None where nothing does.

    Raises:
        PlanError: one of them does nothing.
    """
    if every is not None:
        return Storms(every, STORM_SHARE if share is None else share)
    if share is not None:
        raise PlanError("--storm-share does nothing without --storm-every")
    return None


def slow_pause_of(readers: int, seconds: float | None) -> float:
    """Seconds that slow readers wait.

    Raises:
        PlanError: there is none, though it is said how long.
    """
    if seconds is None:
        return SLOW_SECONDS
    if not readers:
        raise PlanError("--slow-pause does nothing without --slow-readers")
    return seconds


def parse_override(text: str) -> tuple[str, str]:
    """An option of the rules, name and value.

    Raises:
        PlanError: it is none.
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise PlanError(f"--set {text!r} sets no option; write NAME=VALUE")
    return name, value


def parse_deal_source(text: str) -> str | None:
    """Where cards come from: any text for the same ones in every run, None for fresh ones.

    Raises:
        PlanError: it is none.
    """
    kind, _, rest = text.partition(":")
    if text == "fresh":
        return None
    if kind != "seed" or not rest:
        raise PlanError(f"--deal-source {text!r} is none; write fresh, or seed: and any text")
    return rest


def read_tokens(file: Path) -> tuple[str, ...]:
    """Tokens, a line each.

    Raises:
        PlanError: there is none.
        OSError: the file cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise PlanError(f"--tokens {file} is no text in UTF-8; write a token a line") from error
    tokens = tuple(line.strip() for line in lines if line.strip())
    if not tokens:
        raise PlanError(f"--tokens {file} is empty; write a token a line, one for each session")
    return tokens
