"""Checks exported records of deals, with nothing but Python and what docs/shuffle.md says.

    python verify_deal.py RECORDS.jsonl [TABLE_SEED]

RECORDS.jsonl holds one record a line, as `skat-client records TABLE` writes them. TABLE_SEED is
the table's seed in hexadecimal, which the table shows when it is over. For every record this is
computed again: the commitment, the seed from the table's seed and the players' nonces, the
shuffle, and that everybody played only cards that he held, each of them once. The program says
OK or where a record differs. It does not know the rules of the game; the server's VerifyDeal
does. Compare the commitments that it prints with those that were shown to you before the deals.
"""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from typing import Any

Record = dict[str, Any]
RANKS = "789QKTAJ"
DECK = [suit + rank for rank in RANKS for suit in "DHSC"]
CARD = re.compile("[CSHD][789QKTAJ]")
PLACES = [
    [0, 1, 2, 11, 12, 13, 14, 23, 24, 25],
    [3, 4, 5, 15, 16, 17, 18, 26, 27, 28],
    [6, 7, 8, 19, 20, 21, 22, 29, 30, 31],
    [9, 10],
]


class DiffersError(Exception):
    """A record that does not hold; the text says where."""


def number(value: int) -> bytes:
    """Eight bytes, the most significant first."""
    return value.to_bytes(8, "big")


def expect(fact: str, claimed: object, computed: object) -> None:
    """Hold what a record claims against what was computed."""
    if claimed != computed:
        raise DiffersError(f"{fact} is {claimed}, but must be {computed}")


def shuffled(seed: bytes) -> list[str]:
    """The deck in the order that a seed gives."""
    deck, block, stream = list(DECK), 0, b""
    for last in range(31, 0, -1):
        usable = 256 - 256 % (last + 1)
        byte = 256
        while byte >= usable:
            if not stream:
                stream = hmac.digest(seed, b"skat-shuffle-v1" + number(block), "sha256")
                block += 1
            byte, stream = stream[0], stream[1:]
        pick = byte % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck


def check_seed(record: Record, table_seed: bytes) -> list[str]:
    """Check commitment, derivation and shuffle; says what could be checked."""
    if "seed" not in record:
        return []
    seed = bytes.fromhex(record["seed"])
    bound = hashlib.sha256(b"skat-deal-v1" + record["id"].encode() + seed).hexdigest()
    expect("the commitment", record["commitment"].lower(), bound)
    checked = ["commitment"]
    if table_seed and "chance" in record:
        check_derivation(record["id"], record["chance"], seed, table_seed)
        checked.append("derivation")
    deck = shuffled(seed)
    dealt = [sorted(part.split(".")) for part in record["dealt"].split("|")]
    expect("the deal", dealt, [sorted(deck[place] for place in places) for places in PLACES])
    return [*checked, "shuffle"]


def check_derivation(deal_id: str, chance: Record, seed: bytes, table_seed: bytes) -> None:
    """Check that a seed is that of table, dealing and nonces."""
    table_id = deal_id.rpartition("/")[0]
    bound = hashlib.sha256(b"skat-table-v1" + table_id.encode() + table_seed).hexdigest()
    expect("the table's commitment", chance["table_commitment"].lower(), bound)
    nonces = [bytes.fromhex(nonce) for nonce in chance["nonces"]]
    shares = hashlib.sha256(b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)).digest()
    message = b"skat-table-deal-v1" + number(chance["dealing"]) + shares
    derived = hmac.digest(table_seed, message, "sha256")
    expect("the seed", seed.hex(), derived.hex())


def check_cards(record: Record) -> None:
    """Follow every card from hand to hand and to the table."""
    hands = [set(part.split(".")) for part in record["dealt"].split("|")]
    expect("the deck", sorted(card for hand in hands for card in hand), sorted(DECK))
    declarer = -1
    for count, text in enumerate(record["actions"], 1):
        who, action = ["0 ", "1 ", "2 "].index(text[:2]), text[2:]
        gone: set[str] = set()
        if action in ("take", "pick-up"):
            hands[who], hands[3] = hands[who] | hands[3], set()
        elif action.startswith("keep:"):
            exchange(hands, who, {0, 1, 2} - {who, declarer}, set(action[5:].split(".")))
        elif action.startswith("down:"):
            gone = hands[3] = set(action[5:].split("."))
        elif CARD.fullmatch(action):
            gone = {action}
        elif re.match("[CSHDGN]", action):
            declarer, gone = who, set(action.split(".")[1:])
        if not gone <= hands[who]:
            raise DiffersError(f"action {count}, {text}: {sorted(gone - hands[who])} not held")
        hands[who] -= gone


def exchange(hands: list[set[str]], who: int, partners: set[int], kept: set[str]) -> None:
    """The defenders of a Revolution deal their cards anew."""
    (partner,) = partners
    both = hands[who] | hands[partner]
    if not kept <= both:
        raise DiffersError(f"{sorted(kept - both)} not held by the defenders")
    hands[who], hands[partner] = kept, both - kept


def main() -> int:
    """Check every line of a file; 0 when all hold, 1 when one does not, 2 for a wrong call."""
    path, *seeds = sys.argv[1:] or [""]
    if not Path(path).is_file() or len(seeds) > 1:
        print(f"{__doc__}\nNot a file with records: {path}", file=sys.stderr)
        return 2
    table_seed = bytes.fromhex("".join(seeds))
    failed = 0
    with open(path, encoding="utf-8") as lines:
        for line_number, line in enumerate(filter(str.strip, lines), 1):
            name = f"line {line_number}"
            try:
                record = json.loads(line)
                name = record["id"]
                checked = [*check_seed(record, table_seed), "cards"]
                check_cards(record)
                shown = record.get("commitment", "nothing")
                print(f"{name} OK: {', '.join(checked)}; bound by {shown}")
            except (DiffersError, ValueError, LookupError, TypeError, AttributeError) as error:
                failed += 1
                print(f"{name} DIFFERS: {type(error).__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
