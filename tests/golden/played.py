"""Games made to be kept: every preset with every number of seats, and everything that can happen beside the play."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal

from msgspec.structs import replace

from domain import lobby
from domain.beacons import Beacon, shown
from domain.boards import BoardChance, board_terms
from domain.bots import bot_of
from domain.canonical import canonical
from domain.chain import first_prev, link
from domain.chance import Chance, FairChance, PracticeChance, fair_terms
from domain.ending import abort, adjudication, time_out
from domain.events import AnyEvent, Clock, Watch
from domain.evolve import fold, initial_state
from domain.fairness import nonce_commitment
from domain.legal import legal_moves
from domain.moves import Answer, Ask, Discard, LayMelds, Move, Resign
from domain.placing import write_position
from domain.playing import begin, complete, play
from domain.records.writer import players_of
from domain.refusals import Refusal
from domain.rules import compile_rules
from domain.rulesets import PRESETS, resolve
from domain.shuffle import deck, words
from domain.upcasting import SCHEMA
from domain.views import view_for
from domain.waiting import seat_to_act
from service.version import ENGINE
from tests.domain.records.test_deals import BOARDS
from tests.golden.stored import Row

MASTER: Final = bytes(range(128))
NONCES: Final = tuple(bytes([seat]) * 32 for seat in range(6))
LEVELS: Final = ("greedy", "random")
QUICKNET: Final = Beacon("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", 1000)
SIGNATURE: Final = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
"""That of round 1000 of drand's chain quicknet."""

BEFORE_ROUND: Final = "2023-08-23T15:"
LATER: Final = "2026-01-01T00:"


class Played:
    """A game under way in which everything that happened is kept, moved on by bots."""

    def __init__(self, name: str, preset: str, players: int, chance: Chance | None = None, **terms: Any) -> None:
        self.id = f"golden{name.replace('-', '')}"
        if "fairness" not in terms and "origin" not in terms:
            terms["fairness"] = fair_terms(terms.pop("mode", "server_only"), MASTER)
        practice = "origin" in terms
        self.chance: Chance = chance or (PracticeChance() if practice else FairChance(self.id, MASTER))
        watch = terms.pop("watch", Watch("anyone", 0))
        created = lobby.open_table(resolve(preset), players, watch=watch, engine=ENGINE, **terms)
        self.state = initial_state(created)
        self.happened: list[AnyEvent] = [created]
        self._chance = words(self.id.encode())

    def add(self, happened: Sequence[AnyEvent]) -> None:
        self.state = fold(self.state, happened)
        self.happened += happened

    def sit(self, *seats: int, kind: Literal["human", "bot"] = "human") -> None:
        for seat in seats or range(self.state.table.rules.players):
            bot: Any = "greedy" if kind == "bot" else None
            self.add(lobby.sit(self.state, seat, f"{kind}-{self.state.version}", kind, bot))

    def close(self, *committed: int, beacon: Beacon | None = None) -> None:
        seats = range(self.state.table.rules.players)
        commitments = [nonce_commitment(NONCES[seat]) if seat in committed else None for seat in seats]
        self.add(lobby.close(self.state, commitments, beacon))

    def begin(self, **how: Any) -> None:
        self.add(begin(self.state, self.chance, **how)[0])

    def start(self) -> None:
        self.sit()
        self.close()
        self.begin()

    def move(self) -> None:
        """What a bot sends for the seat to act."""
        seat = seat_to_act(self.state)
        assert seat is not None
        bot = bot_of(LEVELS[seat % 2], self.state.table.rules)
        self.send(*bot.choose(view_for(self.state, seat), legal_moves(self.state, seat), self._chance))

    def send(self, *moves: Move) -> None:
        """The moves of the seat to act, and what follows."""
        seat = seat_to_act(self.state)
        assert seat is not None
        decided = play(self.state, seat, moves, self.chance)
        assert not isinstance(decided, Refusal)
        self.add(decided[0])

    def moves(self, number: int) -> None:
        for _ in range(number):
            self.move()

    def play_hand(self) -> None:
        hand = self.state.hand
        while self.state.phase != "game_over" and self.state.hand == hand:
            self.move()

    def end(self, happened: Sequence[AnyEvent]) -> None:
        """End the game so, with what follows."""
        self.add(happened)
        self.add(complete(self.state, [], self.chance)[0])

    def players(self) -> tuple[tuple[int, str, str], ...]:
        return tuple((player.seat, player.name, player.kind) for player in players_of(self.state, {}))

    def rows(self) -> list[Row]:
        """The game as the store has it."""
        day = BEFORE_ROUND if self.state.table.beacon is not None else LATER
        rows = []
        head = first_prev(self.id)
        for event in self.happened:
            at = f"{day}{event.n // 60:02}:{event.n % 60:02}Z"
            body = canonical(replace(event, at=at, salt=f"{event.n:032x}"))
            head = link(head, body)
            rows.append(Row(SCHEMA, head, body))
        return rows


def games() -> Iterator[tuple[str, Played]]:
    """Every game to be kept, by its name."""
    for preset in PRESETS:
        for players in resolve(preset).players:
            name = f"{preset}-{players}p"
            game = Played(name, preset, players)
            game.start()
            game.play_hand()
            game.end(adjudication(game.state, None, "agreement"))
            yield name, game
    for name, make in BESIDE.items():
        yield name, make(name)


def _nonces(name: str) -> Played:
    """Seats left before closing, at it and after the start; nonces shown and not shown; a stand-in; a resignation."""
    game = Played(name, "samba-official", 2, mode="players", clock=Clock("per_move", 60))
    game.sit()
    game.add(lobby.leave(game.state, 1, "human-2"))
    game.sit(1, kind="bot")
    game.add(lobby.leave(game.state, 1, "bot-4"))
    game.sit(1)
    game.close(0, 1)
    game.add(lobby.reveal_nonce(game.state, 0, NONCES[0].hex()))
    game.add(lobby.reopen(game.state, 1))
    game.sit(1)
    game.close(0, 1)
    for seat in (1, 0):
        game.add(lobby.reveal_nonce(game.state, seat, NONCES[seat].hex()))
    game.begin()
    game.moves(5)
    game.add(lobby.stand_in(game.state, game.state.turn, "absence"))
    game.moves(4)
    leaver = game.state.table.seats[0]
    assert leaver is not None
    game.add(lobby.hand_over(game.state, 0, leaver.player, "newcomer"))
    game.moves(4)
    game.send(Resign())
    return game


def _timed_out(name: str) -> Played:
    game = Played(name, "samba-hoyle", 4, watch=Watch("link", 30), clock=Clock("per_move", 20))
    game.sit(kind="bot")
    game.close()
    game.begin()
    game.moves(9)
    game.end(time_out(game.state, 1, "time"))
    return game


def _aborted_before(name: str) -> Played:
    game = Played(name, "canasta-classic", 3, watch=Watch("nobody", 0))
    game.sit()
    game.close()
    game.end(abort(game.state, "technical"))
    return game


def _aborted(name: str) -> Played:
    game = Played(name, "canasta-standard", 4)
    game.start()
    game.moves(12)
    game.end(abort(game.state, None))
    return game


def _striped(name: str) -> Played:
    """A stock in stripes that is used up and turned over, ended by a ruling against a side."""
    game = Played(name, "samba-czech", 3, stock="striped")
    game.start()
    game.play_hand()
    game.moves(8)
    game.end(adjudication(game.state, 1, "ruling"))
    return game


def _beacon(name: str) -> Played:
    game = Played(name, "samba-online", 4)
    game.sit()
    game.close(beacon=QUICKNET)
    game.begin(shown=shown(QUICKNET, SIGNATURE))
    game.moves(10)
    game.end(adjudication(game.state, None, "time"))
    return game


def _boards(name: str) -> Played:
    chance = BoardChance("T1", MASTER)
    game = Played(name, "samba-official", 2, chance, fairness=board_terms("T1", MASTER, BOARDS))
    game.start()
    while game.state.phase != "game_over":
        game.move()
    return game


def _from_seed(name: str) -> Played:
    game = Played(name, "bolivia", 3, origin={"kind": "seed", "seed": "00ff"})
    game.start()
    game.play_hand()
    game.end(adjudication(game.state, None, "agreement"))
    return game


def _from_decks(name: str) -> Played:
    """Two hands from decks, and the end that comes when there is no third."""
    rules = compile_rules(resolve("canasta-classic"), 2)
    decks = [deck(bytes([number]), rules.packs, rules.jokers) for number in (1, 2)]
    game = Played(name, "canasta-classic", 2, origin={"kind": "decks", "decks": decks, "dealer": 1})
    game.start()
    while game.state.phase != "game_over":
        game.move()
    return game


def _from_position(name: str) -> Played:
    """A position at a table with a lone side, in the middle of a turn."""
    before = Played("before", "canasta-classic", 3)
    before.start()
    before.moves(31)
    position = write_position(before.state)
    game = Played(name, "canasta-classic", 3, origin={"kind": "position", "position": position, "seed": "07"})
    game.start()
    game.moves(10)
    game.end(adjudication(game.state, None, "agreement"))
    return game


def _concealed(name: str) -> Played:
    """A question answered with yes, and a hand that goes out concealed by it."""
    canasta = ("8S", "8S", "8H", "8H", "8D", "8D", "8C")
    position = {
        "ruleset": "canasta-classic",
        "players": 4,
        "turn": 0,
        "phase": "play",
        "holdings": [[*canasta, "4S"], 9, 9, 9],
        "pile": ["5H"],
        "stock": {"count": 30},
    }
    game = Played(name, "canasta-classic", 4, origin={"kind": "position", "position": position, "seed": "0a"})
    game.start()
    game.send(Ask((LayMelds(new=(canasta,)), Discard(("4S",)))))
    game.send(Answer(yes=True))
    game.moves(6)
    game.end(adjudication(game.state, 0, None))
    return game


def _forked(name: str) -> Played:
    before = Played("before", "samba-czech", 4)
    before.start()
    before.moves(20)
    origin = {"kind": "fork", "game": before.id, "n": before.state.version, "position": write_position(before.state)}
    game = Played(name, "samba-czech", 4, origin=origin)
    game.start()
    game.play_hand()
    return game


BESIDE: Final[dict[str, Callable[[str], Played]]] = {
    "nonces": _nonces,
    "timed-out": _timed_out,
    "aborted-before": _aborted_before,
    "aborted": _aborted,
    "striped": _striped,
    "beacon": _beacon,
    "boards": _boards,
    "from-seed": _from_seed,
    "from-decks": _from_decks,
    "from-position": _from_position,
    "concealed": _concealed,
    "forked": _forked,
}
"""Games in which something happens that bots at a table do not bring about, by name."""
