"""Whatever is changed in the code, golden games fold to what they did, and the verdicts on them stay (O27, O28).

Every test makes the change, on a copy, and replays the games there; the last ones show that a change that does make a
difference is seen.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.golden.copies import ROOT, Copy, CopyFailed
from tests.golden.rewritings import classes_of, renamed, turned_round
from tests.golden.stored import versions

DOMAIN: Final = ROOT / "domain"
GOLDEN: Final = pytest.mark.parametrize("golden", versions(), ids=lambda folder: folder.name)


@GOLDEN
def test_orders_in_the_code_decide_nothing(copy: Copy, golden: Path) -> None:
    copy.rewrite(turned_round)
    assert copy.differences(golden) == []
    told = copy.script(
        "import json; from domain.records.faults import RecordFaultCode as C; from domain.rulesets import RuleSet as R;"
        "from domain.evolve import _FOLDS as F;"
        "print(json.dumps([list(C)[-1], R.__struct_fields__[-1], list(F)[-1].__name__]))"
    )
    assert told == ["line_too_long", "name", "Created"]


NUMBERED: Final = """_NUMBERED = enumerate((JOKER, *(rank + suit for rank in RANKS for suit in SUITS)))
_SHIFT: Final = {face: _JOKER_SHIFT - index * _LANE_BITS for index, face in _NUMBERED}"""


@GOLDEN
def test_suits_ranks_and_the_numbers_of_cards_may_be_ordered_otherwise(copy: Copy, golden: Path) -> None:
    """The canonical order of cards (formats, part 1) is written out; nothing else hangs on the lists in the code."""
    copy.edit(
        "cards.py",
        ('RANKS: Final = "2AKQJT9876543"', 'RANKS: Final = "3456789TJQKA2"'),
        ('SUITS: Final = "SHDC"', 'SUITS: Final = "CDHS"'),
        (
            "(JOKER, *(rank + suit for rank in RANKS for suit in SUITS))",
            '(JOKER, *(rank + suit for rank in "2AKQJT9876543" for suit in "SHDC"))',
        ),
        (
            "_SHIFT: Final = {face: _JOKER_SHIFT - index * _LANE_BITS for face, index in ORDER.items()}",
            NUMBERED,
        ),
        ('{rank: _SHIFT[rank + "C"] for rank in RANKS}', '{rank: _SHIFT[rank + "S"] for rank in RANKS}'),
    )
    assert copy.differences(golden) == []


@GOLDEN
def test_classes_may_be_renamed(copy: Copy, golden: Path) -> None:
    names = classes_of(DOMAIN / "events.py", DOMAIN / "state.py")
    assert {"Created", "TookPile", "Event", "State", "Table"} <= names
    copy.rewrite(lambda text: renamed(text, names))
    assert copy.differences(golden) == []
    assert not classes_of(copy.root / "domain" / "events.py", copy.root / "domain" / "state.py") & names


@GOLDEN
def test_presets_may_change_come_and_go(copy: Copy, golden: Path) -> None:
    changed = """
PRESETS = {
    "samba-next" if name == "samba-official" else name: {**preset, "name": "next", "target": 1, "samba_bonus": 1}
    for name, preset in PRESETS.items()
    if name != "bolivia"
}
"""
    copy.append("presets.py", changed)
    assert copy.differences(golden) == []
    told = copy.script("import json; from domain.rulesets import PRESETS; print(json.dumps(list(PRESETS)))")
    assert "samba-next" in told
    assert not {"samba-official", "bolivia"} & set(told)


def add_option(copy: Copy) -> None:
    """The recipe for an option: absent from the rule sets of before, and then with the value of before."""
    copy.edit(
        "rulesets.py",
        ("    target_choices: tuple[Integer, ...]\n", "    target_choices: tuple[Integer, ...]\n" + OPTION),
        ("from msgspec import Meta\n", "from msgspec import UNSET, Meta, UnsetType\n"),
    )
    copy.edit(
        "rules.py",
        ("    line_keys: tuple[str, ...]\n", "    line_keys: tuple[str, ...]\n    long_samba_bonus: int\n"),
        (
            "        edition=edition,\n",
            "        edition=edition,\n" + ABSENT,
        ),
        ("from domain.cards import", "from msgspec import UNSET\nfrom domain.cards import"),
    )
    copy.edit(
        "scoring.py",
        ('lines["sambas"] += rules.samba_bonus', 'lines["sambas"] += rules.samba_bonus + rules.long_samba_bonus'),
    )


ABSENT: Final = "        long_samba_bonus=0 if ruleset.long_samba_bonus is UNSET else ruleset.long_samba_bonus,\n"
OPTION: Final = "    long_samba_bonus: Points | UnsetType = UNSET\n"


@GOLDEN
def test_an_option_may_be_added(copy: Copy, golden: Path) -> None:
    add_option(copy)
    assert copy.differences(golden) == []


def test_an_added_option_is_there_for_new_games_and_named_in_their_rule_sets(copy: Copy) -> None:
    add_option(copy)
    told = copy.script(
        """
import json
from domain.rules import compile_rules
from domain.rulesets import PRESETS, RuleSetInvalidError, resolve, schema

def hash_and_bonus(value):
    ruleset = resolve("samba-official", None if value is None else {"long_samba_bonus": value})
    return [ruleset.sha256(), compile_rules(ruleset, 4).long_samba_bonus, "long_samba_bonus" in ruleset.to_json()]

def faults_of(keys):
    try:
        resolve(PRESETS["samba-official"] | keys)
    except RuleSetInvalidError as invalid:
        return sorted([fault.key, fault.code] for fault in invalid.faults)

faults = [faults_of({"packs": 0}), faults_of({"long_samba_bonus": -1, "packs": 0})]
needed = schema()["$defs"]["RuleSet"]["required"]
print(json.dumps([[hash_and_bonus(value) for value in (None, 0, 70)], faults, "long_samba_bonus" in needed]))
"""
    )
    (absent, zero, seventy), faults, needed = told
    assert absent[1:] == [0, False]
    assert zero[1:] == [0, True]
    assert seventy[1:] == [70, True]
    assert len({absent[0], zero[0], seventy[0]}) == 3, "a rule set's hash is that of the object as it stands"
    packs = ["packs", "out_of_range"]
    assert faults == [[packs], [["long_samba_bonus", "out_of_range"], packs]], "its absence is no fault"
    assert not needed


FACT: Final = "    seconds: int | UnsetType = UNSET\n"


@GOLDEN
def test_a_fact_may_be_added_to_events(copy: Copy, golden: Path) -> None:
    copy.edit(
        "events.py",
        ("    recycled: int | UnsetType = UNSET\n", "    recycled: int | UnsetType = UNSET\n" + FACT),
        ("    concealed: bool\n", "    concealed: bool\n    rounds: int | UnsetType = UNSET\n"),
        ("    engine: str\n", "    engine: str\n    tournament: str | None | UnsetType = UNSET\n"),
    )
    assert copy.differences(golden) == []


TIGHTER: Final = """
    if {condition} and length == SMALLEST_MELD:
        raise Refused("too_few_naturals", naturals=2, wilds=1, ratio=rules.group_ratio)
"""
LIMITS: Final = '    """The limits on wild cards in a group or among black threes (4.2, 4.5)."""\n'


def tighten(copy: Copy, condition: str) -> None:
    """From edition 2 on a group of three cards may hold no wild card."""
    copy.edit("editions.py", ("EDITION: Final[int] = 1", "EDITION: Final[int] = 2"))
    copy.edit("melds.py", (LIMITS, LIMITS + TIGHTER.format(condition=condition)))


@GOLDEN
def test_a_rule_may_be_tightened_in_a_new_edition(copy: Copy, golden: Path) -> None:
    tighten(copy, "rules.edition >= 2")
    assert copy.differences(golden) == []


FINISHING: Final = """
import json
import sys
from pathlib import Path

from msgspec.structs import replace

from domain.bots import bot_of
from domain.decide import decide
from domain.ending import adjudication
from domain.editions import engine_name
from domain.evolve import fold, initial_state, replay
from domain.legal import legal_moves
from domain.lobby import open_table
from domain.playing import complete, play
from domain.records.moves import move_of
from domain.records.verification import verify
from domain.records.writer import players_of, write_record
from domain.refusals import Refusal
from domain.rules import compile_rules
from domain.shuffle import words
from domain.chance import FairChance, fair_terms
from domain.upcasting import decode_stored
from domain.views import view_for
from tests.golden.stored import expected_of, rows_of

folder = Path(sys.argv[1])
kept = expected_of(folder).games["samba-czech-4p"]
happened = [decode_stored(row.schema, row.body) for row in rows_of(folder, "samba-czech-4p", kept)]
state = initial_state(happened[0])
refused = None
for n, event in enumerate(happened[1:], start=1):
    move = move_of(state, event)
    if move is not None:
        rules = compile_rules(state.table.rules.ruleset, 4, 2)
        now = replace(state, table=replace(state.table, rules=rules))
        judged = decide(now, event.seat, move)
        if isinstance(judged, Refusal) and not isinstance(decide(state, event.seat, move), Refusal):
            refused = judged.code
            break
    state = fold(state, [event])

# The game is under way when the new edition comes: bots finish it from the move before.
going = happened[:n]
chance = FairChance(kept.game, bytes(range(128)))
numbers = words(b"finish")
happened = list(going) + list(decide(state, event.seat, move))
state = replay(happened)
while state.hand == 1 and state.phase != "game_over":
    seat = state.turn if state.phase != "answer" else (state.turn + 2) % 4
    moves = bot_of("greedy", state.table.rules).choose(view_for(state, seat), legal_moves(state, seat), numbers)
    decided = play(state, seat, moves, chance)
    assert not isinstance(decided, Refusal), decided
    more, state = decided
    happened += more
ruling = adjudication(state, None, "agreement")
more, state = complete(fold(state, ruling), ruling, chance)
happened += more
stamped = [
    replace(each, at=f"2026-01-01T00:{each.n // 60:02}:{each.n % 60:02}Z", salt=f"{each.n:032x}") for each in happened
]
verdict = verify(write_record(kept.game, players_of(state, {}), stamped))
new = open_table(state.table.rules.ruleset, 4, watch=going[0].watch, engine=engine_name("m/2"),
    fairness=fair_terms("server_only", bytes(128)))
print(json.dumps([refused, verdict.ok, verdict.hands, state.table.rules.edition,
    new.engine, initial_state(new).table.rules.edition, len(happened) - len(going)]))
"""


def test_a_game_under_way_is_finished_by_the_rules_that_it_began_with(copy: Copy) -> None:
    tighten(copy, "rules.edition >= 2")
    refused, ok, hands, edition, engine, new_edition, more = copy.script(FINISHING, str(versions()[0]))
    assert refused == "too_few_naturals", "the move played then is refused by the new edition"
    assert (ok, hands, edition) == (True, 2, 1)
    assert more > 20
    assert (engine, new_edition) == ("m/2 rules/2", 2), "new games are decided by the new edition"


SEEN: Final = {
    "a rule tightened in every game": ("melds.py", LIMITS, LIMITS + TIGHTER.format(condition="True")),
    "a rule loosened in every game": ("discarding.py", "    if rest < 0:\n", "    if rest < -1:\n"),
    "a constant of the fold": ("folding_hand.py", "state.recycles += 1", "state.recycles += 2"),
    "a fact no longer folded": ("folding_hand.py", "    state.had_turn |= 1 << seat\n", ""),
    "a total no longer folded": ("folding_hand.py", "    state.totals = event.totals\n", ""),
    "a fact of the table no longer folded": ("folding_table.py", "    state.stood_in = True\n", "    pass\n"),
    "a score counted otherwise": ("scoring.py", "    return -number * rules.red_three_bonus\n", "    return 0\n"),
    "an order of dealing": ("shuffle.py", 'b"deck"', 'b"Deck"'),
    "a key of events renamed": ("events.py", "    picked_up: CardList\n", "    picked: CardList\n"),
    "the canonical order of cards": ("cards.py", 'SUITS: Final = "SHDC"', 'SUITS: Final = "SDHC"'),
    "a fact of events that is no longer absent": (
        "events.py",
        "    concealed: bool\n",
        "    concealed: bool\n    rounds: int = 0\n",
    ),
    "an option that is no longer absent": (
        "rulesets.py",
        "    target_choices: tuple[Integer, ...]\n",
        "    target_choices: tuple[Integer, ...]\n    long_samba_bonus: Points = 0\n",
    ),
}
"""Changes that make a difference: the file, what stands in it, and what is put in its place."""


@pytest.mark.parametrize("change", SEEN)
def test_a_change_that_makes_a_difference_is_seen(copy: Copy, change: str) -> None:
    file, old, new = SEEN[change]
    copy.edit(file, (old, new))
    try:
        found = copy.differences(versions()[0])
    except CopyFailed as failed:
        # Some changes leave games that cannot be read at all; the engine itself runs.
        found = [line for line in str(failed).splitlines() if line.endswith("in replayed")]
    assert found != []
