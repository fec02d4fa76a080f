"""A bot that plays by rules of thumb, each in a small module of its own."""

from skat_client.bots.rules.rules_bot import RulesBot

__all__ = ["RulesBot"]
