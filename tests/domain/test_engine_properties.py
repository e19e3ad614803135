"""A machine that plays any preset with any number of seats, and looks at everything after every event.

The state is sound, events and positions read back as they were written, every viewer's own fold shows what the whole
fold shows that viewer, and the list of legal moves is what `decide` says.
"""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain import events
from domain.canonical import canonical
from domain.chance import PracticeChance
from domain.decide import decide
from domain.events import AnyEvent, Watch
from domain.evolve import evolve, fold, initial_state
from domain.legal import legal_moves
from domain.lobby import close, open_table, sit
from domain.moves import Move, Resign, move_to_json, parse_move
from domain.placing import write_position
from domain.playing import begin, play
from domain.positions import read_position, state_from
from domain.possible import possible_moves
from domain.problems import Problem, problems
from domain.redaction import Viewer, redact, redacted_bytes
from domain.refusals import Refusal
from domain.rulesets import PRESETS, RuleSetInvalidError, resolve
from domain.state import State
from domain.views import encode_view
from domain.waiting import seat_to_act
from tests.domain.listing import options, possible, to_send

TABLES = [(preset, players) for preset in sorted(PRESETS) for players in resolve(preset).players]
HOUSE_RULES: list[dict[str, Any]] = [
    {},
    {"partner_permission": "required"},
    {"last_red_three_ends_hand": True, "last_red_three_may_meld": True, "final_discard_required": False},
    {"stock_end": "recycle", "draw_count": 2},
    {"red_threes": "automatic", "red_three_replacement": "always"},
    {"red_threes": "optional", "red_three_discard": False},
]


def permits(preset: str, house_rules: dict[str, Any]) -> bool:
    try:
        resolve(preset, house_rules)
    except RuleSetInvalidError:
        return False
    return True


SETTINGS = [(*table, house_rules) for table in TABLES for house_rules in HOUSE_RULES if permits(table[0], house_rules)]


class Game(RuleBasedStateMachine):
    """One game from its first event on, and the folds of everybody who may look on."""

    state: State
    own: dict[Viewer, State]

    @initialize(
        setting=st.sampled_from(SETTINGS),
        seed=st.binary(min_size=1, max_size=4),
        stock=st.sampled_from(("common", "striped")),
    )
    def open(self, setting: tuple[str, int, dict[str, Any]], seed: bytes, stock: Any) -> None:
        preset, players, house_rules = setting
        origin = {"kind": "seed", "seed": seed.hex()}
        created = open_table(
            resolve(preset, house_rules), players, watch=Watch("anyone", 0), engine="test/1", origin=origin, stock=stock
        )
        assert events.decode(events.encode(created)) == created
        self.state = initial_state(created)
        viewers: list[Viewer] = [*range(players), "watcher"]
        self.own = {viewer: initial_state(redact(created, viewer)) for viewer in viewers}
        for seat in range(players):
            self._happen(sit(self.state, seat, f"p{seat}"))
        self._happen(close(self.state, [None] * players))
        self._happen(begin(self.state, PracticeChance())[0])

    def _happen(self, happened: list[AnyEvent]) -> None:
        """Fold events one by one, and look at every state between."""
        for event in happened:
            assert events.decode(events.encode(event)) == event
            self.state = evolve(self.state, event)
            assert problems(self.state) == Problem(0), (event, problems(self.state))
            for viewer, own in self.own.items():
                self.own[viewer] = evolve(own, events.decode(redacted_bytes(event, viewer)))

    def _make(self, seat: int, move: Move) -> None:
        assert parse_move(msgspec.json.decode(msgspec.json.encode(move))) == move
        done = play(self.state, seat, [move], PracticeChance())
        assert not isinstance(done, Refusal), (move_to_json(move), done)
        happened, after = done
        self._happen(happened)
        assert self.state == after

    @precondition(lambda self: seat_to_act(self.state) is not None)
    @rule(data=st.data())
    def make_a_possible_move(self, data: st.DataObject) -> None:
        seat = seat_to_act(self.state)
        assert seat is not None
        choices = possible_moves(self.state, seat)
        self._make(seat, choices[data.draw(st.integers(0, len(choices) - 1))].move())

    @precondition(lambda self: seat_to_act(self.state) is not None)
    @rule(number=st.integers(5, 60), chance=st.randoms(use_true_random=False))
    def play_on(self, number: int, chance: Random) -> None:
        for _ in range(number):
            seat = seat_to_act(self.state)
            if seat is None:
                return
            self._make(seat, chance.choice(possible_moves(self.state, seat)).move())

    @precondition(lambda self: seat_to_act(self.state) is None)
    @rule()
    def look_at_the_lists_when_all_is_over(self) -> None:
        for seat in range(self.state.table.rules.players):
            legal = legal_moves(self.state, seat)
            assert not legal.resign
            assert options(legal) == []
            assert len(possible_moves(self.state, seat)) == 0

    @precondition(lambda self: seat_to_act(self.state) is not None)
    @rule()
    def compare_the_list_with_the_guards(self) -> None:
        for seat in range(self.state.table.rules.players):
            legal = legal_moves(self.state, seat)
            assert bool(possible(legal)) is (seat == seat_to_act(self.state))
            for option in options(legal):
                alone = decide(self.state, seat, option.move)
                if option.possible:
                    assert not isinstance(decide(self.state, seat, to_send(option)), Refusal), option
                else:
                    assert option.reason == alone

    @precondition(lambda self: seat_to_act(self.state) is not None)
    @rule(data=st.data())
    def resign(self, data: st.DataObject) -> None:
        # Seldom, or few games would last.
        if data.draw(st.integers(0, 9)) == 9:
            self._make(data.draw(st.integers(0, self.state.table.rules.players - 1)), Resign())

    @invariant()
    def every_viewers_own_fold_shows_the_same(self) -> None:
        for viewer, own in self.own.items():
            assert encode_view(own, viewer) == encode_view(self.state, viewer), viewer

    @invariant()
    def the_position_reads_back(self) -> None:
        if self.state.holdings and self.state.phase != "game_over" and not self.state.table.striped:
            position = write_position(self.state)
            assert canonical(read_position(position)) == canonical(position)
            assert write_position(state_from(position)) == position
            assert problems(state_from(position)) == Problem(0)

    @invariant()
    def folding_nothing_changes_nothing(self) -> None:
        assert fold(self.state, []) == self.state


Game.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TestGame = Game.TestCase


@pytest.mark.parametrize(("preset", "players", "house_rules"), SETTINGS)
def test_every_table_is_looked_at(preset: str, players: int, house_rules: dict[str, Any]) -> None:
    game = Game()
    chance = Random(f"{preset} {players} {house_rules}")
    game.open((preset, players, house_rules), chance.randbytes(4), "common")
    for _ in range(7):
        game.play_on(12, chance)
        game.every_viewers_own_fold_shows_the_same()
        game.the_position_reads_back()
        if seat_to_act(game.state) is not None:
            game.compare_the_list_with_the_guards()
