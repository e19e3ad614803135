"""Whole games of bots against bots, from a seed and nothing else.

    setup, seed, number  ->  the game's events, as the service would have them (without `at`, `salt` and the chain)

Decks follow from the seed and the number of the game, not from the bots: the same games with other bots in the seats
are the same deals. Every seat has chance of its own.
"""

from collections.abc import Iterator
from hashlib import sha256, shake_256
from typing import Final, cast

from msgspec import Struct

from domain.bots import bot_of
from domain.bots.bot import Bot
from domain.bots.chance import Numbers
from domain.chance import Chance, FairChance, fair_terms
from domain.decide import decide_all
from domain.editions import engine_name
from domain.ending import adjudication
from domain.events import AnyEvent, Watch
from domain.evolve import fold, initial_state
from domain.fairness import MASTER_BYTES, enc
from domain.legal import legal_moves
from domain.lobby import BotLevel, close, open_table, sit, start
from domain.playing import complete
from domain.refusals import Refusal
from domain.rulesets import RuleSet
from domain.shuffle import words
from domain.state import State
from domain.views import view_for
from domain.waiting import seat_to_act

ENGINE: Final = engine_name("meldhouse-simulation/1")
ID_CHARACTERS: Final = 24

Step = tuple[list[AnyEvent], State]
"""Events that happened together, and the state after them."""


class Setup(Struct, frozen=True):
    """What is played: a rule set, and a bot's level for every seat. `hands_max` ends a game by a ruling, None never."""

    ruleset: RuleSet
    bots: tuple[str, ...]
    hands_max: int | None = None


class IllegalBotError(AssertionError):
    """A bot sent something that the rules refuse, which is a fault of the bot or of the list it was given."""

    def __init__(self, state: State, seat: int, refusal: Refusal) -> None:
        super().__init__(f"seat {seat}, version {state.version}: {refusal.code} {refusal.params}")
        self.state = state
        self.seat = seat
        self.refusal = refusal


def game_id(setup: Setup, seed: bytes, number: int) -> str:
    """The id of a simulated game: the same deals, the same id."""
    players = len(setup.bots)
    whole = enc(b"MELD-SIMULATION-1/game", setup.ruleset.sha256().encode(), bytes((players,)), seed, _four(number))
    return sha256(whole).hexdigest()[:ID_CHARACTERS]


def simulate(setup: Setup, seed: bytes, number: int) -> Iterator[Step]:
    """One game from its first event to the reveal, step by step.

    Raises `LobbyRefused` (`players_not_permitted`), `BotLevelUnknownError`, `IllegalBotError`.
    """
    master = shake_256(enc(b"MELD-SIMULATION-1/master", seed, _four(number))).digest(MASTER_BYTES)
    chance = FairChance(game_id(setup, seed, number), master)
    step = _opening(setup, chance)
    yield step
    rules = step[1].table.rules
    bots = [bot_of(level, rules) for level in setup.bots]
    streams = [words(enc(b"MELD-SIMULATION-1/seat", seed, _four(number), _four(seat))) for seat in range(len(bots))]
    while step[1].phase != "game_over":
        step = play_on(step[1], bots, streams, chance, setup.hands_max)
        yield step


def _four(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _opening(setup: Setup, chance: FairChance) -> Step:
    """The table opened, filled, closed and dealt."""
    created = open_table(
        setup.ruleset,
        len(setup.bots),
        watch=Watch("anyone", 0),
        engine=ENGINE,
        fairness=fair_terms("server_only", chance.master),
    )
    happened: list[AnyEvent] = [created]
    state = initial_state(created)

    def go_on(events: list[AnyEvent]) -> State:
        happened.extend(events)
        return fold(state, events)

    for seat, level in enumerate(setup.bots):
        state = go_on(sit(state, seat, f"bot-{seat}", "bot", cast(BotLevel, level)))
    state = go_on(close(state, [None] * len(setup.bots)))
    state = go_on(start(state, chance))
    return happened, state


def play_on(
    state: State, bots: list[Bot], streams: list[Numbers], chance: Chance, hands_max: int | None = None
) -> Step:
    """The next moves of the seat to act, and whatever follows of itself."""
    seat = seat_to_act(state)
    assert seat is not None
    moves = bots[seat].choose(view_for(state, seat), legal_moves(state, seat), streams[seat])
    decided = decide_all(state, seat, moves)
    if isinstance(decided, Refusal):
        raise IllegalBotError(state, seat, decided)
    happened, after = decided
    if after.phase == "hand_over" and after.hand == hands_max:
        ruling = adjudication(after, None, "time")
        happened += ruling
        after = fold(after, ruling)
    return complete(after, happened, chance)
