"""Keeps golden games of the schema of today, once.

    python -m tests.golden.write

Plays the games of `played`, takes in the records of `tests/data/records`, and writes what the engine makes of them into
a new folder. One that is there is never written again: what is in it is what the program of that time stored and said.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.canonical import canonical
from domain.upcasting import SCHEMA
from tests.golden.played import games
from tests.golden.replay import fault_of, result_of
from tests.golden.stored import EXPECTED, HERE, RECORDS, Expected, Kept, Row, Tampering, rows_of_record, write_rows

TAMPERED: Final = ("samba-official-4p", "canasta-classic-3p", "samba-czech-5p", "nonces", "from-position")


def write(folder: Path) -> int:
    """Write a folder of golden games; how many there are. Raises `FileExistsError`."""
    folder.mkdir(parents=True)
    try:
        return _write(folder)
    except BaseException:
        shutil.rmtree(folder)
        raise


def _write(folder: Path) -> int:
    kept: dict[str, Kept] = {}
    rows_by_name: dict[str, list[Row]] = {}
    for name, game in games():
        rows_by_name[name] = game.rows()
        content = write_rows(rows_by_name[name])
        (folder / f"{name}.events").write_bytes(content)
        kept[name] = Kept(game=game.id, players=game.players(), sha256=sha256(content).hexdigest(), result={})
    for path in sorted(RECORDS.glob("*.meld.jsonl")):
        name = path.name.removesuffix(".meld.jsonl")
        content = path.read_bytes()
        rows_by_name[name] = rows_of_record(content)
        kept[name] = _recorded(path.name, content)
    done = {name: replace(each, result=result_of(each, rows_by_name[name])) for name, each in kept.items()}
    tampered = [tampering for name in TAMPERED for tampering in _tampered(name, kept[name], rows_by_name[name])]
    expected = canonical(msgspec.to_builtins(Expected(schema=SCHEMA, games=done, tampered=tuple(tampered))))
    (folder / EXPECTED).write_bytes(msgspec.json.format(expected, indent=1) + b"\n")
    return len(done)


def _recorded(file: str, content: bytes) -> Kept:
    header = msgspec.json.decode(content.split(b"\n", 1)[0])
    players = tuple((each["seat"], each["name"], each["kind"]) for each in header["players"])
    return Kept(game=header["game"], players=players, sha256=sha256(content).hexdigest(), record=file, result={})


def _tampered(name: str, kept: Kept, rows: Sequence[Row]) -> Iterator[Tampering]:
    """Changes of the last event of each type for which there is one, and of none."""
    happened = [msgspec.json.decode(row.body) for row in rows]
    last = {event["type"]: (n, event) for n, event in enumerate(happened, start=1)}
    for n, event in last.values():
        for change in _changes(event):
            tampering = Tampering(name=name, n=n, change=change, fault=None)
            yield replace(tampering, fault=fault_of(kept, rows, tampering))


def _changes(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    match event["type"]:
        case "created":
            yield {"ruleset_hash": "0" * 64}
            yield {"engine": "another/1"}
        case "drew":
            yield {"stock": event["stock"] + 1}
        case "discarded":
            yield {"cards": ["JK"] if event["cards"] != ["JK"] else ["4S"]}
            yield {"seat": event["seat"] + 1}
        case "melded" if event["new"]:
            yield {"new": [{**event["new"][0], "cards": event["new"][0]["cards"][:2]}, *event["new"][1:]]}
        case "took_pile" if event["picked_up"]:
            yield {"picked_up": event["picked_up"][1:]}
        case "hand_ended":
            first, *others = event["lines"]
            yield {"lines": [first | {"cards": first["cards"] + 5, "total": first["total"] + 5}, *others]}
            yield {"totals": [event["totals"][0] - 10, *event["totals"][1:]]}
        case "game_ended":
            yield {"winners": [0, 1]}
        case "seated" | "unseated":
            yield {"seat": 5}
        case "closed":
            yield {"seats": event["seats"][::-1]}
        case "nonce_revealed":
            yield {"nonce": "f" * 64}
        case "revealed":
            yield {"master": "0" * 256}
        case "stood_in":
            yield {"seat": 1 - event["seat"]}


def main(arguments: Sequence[str]) -> int:
    """The command; see the module's text."""
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    folder = HERE / f"v{SCHEMA}"
    try:
        number = write(folder)
    except FileExistsError:
        print(f"{folder.name} is there, and golden games are never written again.", file=sys.stderr)
        return 1
    print(f"{number} golden games are kept in {folder.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
