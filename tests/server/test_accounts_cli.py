"""``skat-server accounts``, ``bots`` and ``tokens`` as the operator types them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from skat_server.cli import app
from skat_server.config import DATABASE
from skat_server.players.tokens import parse_token_text
from skat_server.storage.accounts import AccountStore, AuditEvent, Scope, Token
from skat_server.storage.accounts_sqlite import SqliteAccounts
from skat_server.storage.sqlite.visitor import Visitor
from tests.server.account_stores import furnish

Operator = Callable[..., Result]
"""Runs a command on the folder of the test."""


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    """Somebody at the command line of a server that has been there."""
    furnish(tmp_path)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--data", str(tmp_path)])

    return run


def done(result: Result) -> list[str]:
    """The lines on standard output of a command that worked."""
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def kept(folder: Path) -> tuple[Sequence[Token], Sequence[AuditEvent]]:
    """Tokens and audit log, the newest first."""

    async def read(store: AccountStore) -> tuple[Sequence[Token], Sequence[AuditEvent]]:
        lines = await store.audit_lines(None, 100)
        return await store.tokens("", None, 100), [line.event for line in lines]

    visitor = Visitor(folder / DATABASE)
    try:
        return asyncio.run(read(SqliteAccounts(visitor)))
    finally:
        visitor.close()


def test_the_first_account_is_made_before_the_first_start(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    made = CliRunner().invoke(app, ["accounts", "create", "ann", "--data", str(folder)])
    assert done(made)[0].startswith("account-")
    (stored,), _ = kept(folder)
    assert stored.token_id in made.stdout


def test_an_account_is_made_with_its_first_token(operator: Operator, tmp_path: Path) -> None:
    account_id, text = done(operator("accounts", "create", "ann"))
    token = parse_token_text(text)
    assert token is not None
    (stored,), events = kept(tmp_path)
    assert (stored.token_id, stored.account_id) == (token.token_id, account_id)
    assert stored.scopes == {Scope.PLAY, Scope.SPECTATE, Scope.ORGANISE}
    assert stored.secret_sha256 == token.secret_sha256
    assert {(one.actor, one.action) for one in events} == {("local", "accounts create")}


def test_the_database_has_no_secret(operator: Operator, tmp_path: Path) -> None:
    """T1: whoever reads the files cannot come in."""
    _, text = done(operator("accounts", "create", "ann"))
    secret = text.rpartition("_")[2] if text.count("_") == 2 else text[22:]
    assert len(secret) == 43
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes()


def test_a_token_is_shown_once_and_the_operator_is_told(operator: Operator) -> None:
    result = operator("accounts", "create", "ann")
    assert "cannot show it again" in result.stderr
    text = done(result)[1]
    assert text not in operator("tokens", "list", "--json").output


def test_a_script_gets_json(operator: Operator) -> None:
    shown = json.loads(operator("accounts", "create", "ann", "--json").stdout)
    assert shown["account_id"].startswith("account-")
    assert parse_token_text(shown["token"])


def test_accounts_are_listed(operator: Operator) -> None:
    for name in ("cem", "ann"):
        operator("accounts", "create", name)
    operator("bots", "create", "ann", "hal")
    rows: list[dict[str, Any]] = json.loads(operator("accounts", "list", "--json").stdout)
    assert [(row["name"], row["bots"], row["disabled"]) for row in rows] == [
        ("ann", 1, False),
        ("cem", 0, False),
    ]
    assert "ann" in operator("accounts", "list").stdout


def test_bots_are_made_and_listed(operator: Operator) -> None:
    operator("accounts", "create", "ann")
    (bot_id,) = done(operator("bots", "create", "ann", "hal"))
    (row,) = json.loads(operator("bots", "list", "ann", "--json").stdout)
    assert (row["bot_id"], row["name"]) == (bot_id, "hal")
    assert "hal" in operator("bots", "list").stdout


def test_a_token_is_issued_for_a_while(operator: Operator, tmp_path: Path) -> None:
    operator("accounts", "create", "ann")
    operator("bots", "create", "ann", "hal")
    arguments = ("tokens", "issue", "hal", "--scope", "play", "--scope", "admin", "--days", "2")
    (text,) = done(operator(*arguments))
    tokens, _ = kept(tmp_path)
    token = next(token for token in tokens if token.token_id in text)
    assert token.scopes == {Scope.PLAY, Scope.ADMIN}
    assert token.expires_ms == token.created_ms + 2 * 24 * 60 * 60 * 1000


@pytest.mark.parametrize(
    ("holder", "scopes"),
    [("hal", ["play", "spectate"]), ("ann", ["play", "spectate", "organise"])],
)
def test_a_token_allows_what_its_holder_mostly_needs(
    operator: Operator, holder: str, scopes: list[str]
) -> None:
    operator("accounts", "create", "ann")
    operator("bots", "create", "ann", "hal")
    (text,) = done(operator("tokens", "issue", holder))
    rows = json.loads(operator("tokens", "list", "--json").stdout)
    assert [row["scopes"] for row in rows if row["token_id"] in text] == [scopes]


@pytest.mark.parametrize("names_it", ["by its id", "by its whole text"])
def test_a_token_is_revoked(operator: Operator, tmp_path: Path, names_it: str) -> None:
    _, text = done(operator("accounts", "create", "ann"))
    token = parse_token_text(text)
    assert token is not None
    shown = operator("tokens", "revoke", token.token_id if "id" in names_it else text)
    assert done(shown) == [f"{token.token_id} is revoked"]
    (stored,), events = kept(tmp_path)
    assert stored.revoked_ms is not None
    assert (events[0].action, events[0].target) == ("tokens revoke", token.token_id)


def test_an_account_is_disabled_and_enabled(operator: Operator, tmp_path: Path) -> None:
    operator("accounts", "create", "ann")
    done(operator("accounts", "disable", "ann", "--reason", "too loud"))
    (row,) = json.loads(operator("accounts", "list", "--json").stdout)
    assert row["disabled"]
    done(operator("accounts", "enable", row["account_id"]))
    (row,) = json.loads(operator("accounts", "list", "--json").stdout)
    assert not row["disabled"]
    _, events = kept(tmp_path)
    assert [(one.action, one.detail) for one in events[:2]] == [
        ("accounts enable", ""),
        ("accounts disable", "too loud"),
    ]


REFUSED = [
    pytest.param(["accounts", "create", "ann"], "taken", id="name taken"),
    pytest.param(["accounts", "create", "x" * 41], "40", id="name too long"),
    pytest.param(["accounts", "create", "a\x1b[2Jb"], "printable", id="name that a terminal obeys"),
    pytest.param(["accounts", "create", " ann"], "blanks", id="name like another"),
    pytest.param(["accounts", "disable", "eva"], "'eva'", id="disable nobody"),
    pytest.param(["accounts", "enable", "eva"], "'eva'", id="enable nobody"),
    pytest.param(["bots", "create", "eva", "b"], "'eva'", id="bot of nobody"),
    pytest.param(["bots", "create", "hal", "b"], "bot", id="bot of a bot"),
    pytest.param(["bots", "list", "eva"], "'eva'", id="bots of nobody"),
    pytest.param(["tokens", "issue", "eva"], "'eva'", id="token for nobody"),
    pytest.param(["tokens", "revoke", "0123"], "'0123'", id="no such token"),
]


@pytest.mark.parametrize(("command", "word"), REFUSED)
def test_what_cannot_be_done_is_said(operator: Operator, command: list[str], word: str) -> None:
    """T20: names with control characters go nowhere."""
    operator("accounts", "create", "ann")
    operator("bots", "create", "ann", "hal")
    result = operator(*command)
    assert result.exit_code == 1
    assert word in result.stderr
    assert "\x1b" not in result.output
    assert result.stdout == ""


@pytest.mark.parametrize("command", [["accounts", "list"], ["tokens", "issue", "ann"]])
def test_a_folder_without_a_database_is_left_alone(tmp_path: Path, command: list[str]) -> None:
    result = CliRunner().invoke(app, [*command, "--data", str(tmp_path)])
    assert result.exit_code == 2
    assert "--data" in result.stderr
    assert list(tmp_path.iterdir()) == []


COMMANDS = [
    *(["accounts", command] for command in ("create", "list", "disable", "enable")),
    *(["bots", command] for command in ("create", "list")),
    *(["tokens", command] for command in ("issue", "list", "revoke")),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_an_example(command: list[str]) -> None:
    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200"})
    assert f"Example: skat-server {' '.join(command)}" in shown.stdout
