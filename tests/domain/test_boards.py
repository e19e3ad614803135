"""Duplicate boards (fairness, MELD-BOARD-1; formats, part 8): the same deals at every table."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain import events, shuffle
from domain.boards import BoardChance, board_terms, boards_of, is_on_boards, next_dealer
from domain.bots import bot_of
from domain.chance import PracticeChance
from domain.ending import abort, adjudication
from domain.events import AnyEvent, Dealt, GameEnded, HandEnded
from domain.evolve import fold, replay
from domain.fairness import BoardContext, board_commitment, board_seed
from domain.forks import fork_origin
from domain.labels import BOARD_MEANINGS, MEANINGS, chosen_by, meaning
from domain.lobby import close, next_deal
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.simulation import play_on
from domain.state import State
from tests.domain.board_tables import CHANCE, ROUND, TOURNAMENT, deals, opened_on, played_on
from tests.domain.golden_games import NAMES, events_of
from tests.domain.records.record_files import Game
from tests.domain.tables import MASTER, begun, closed, seated
from tests.domain.test_forks import SEED, goes_on
from tests.domain.test_forks import begun as begun_fork

GREEDY = ("greedy",) * 4
MIXED = ("greedy", "random", "greedy", "random")
MATCH = {"target": 100_000, "target_choices": [100_000]}
"""A match is over with its boards, whatever the totals."""


def test_a_board_has_the_same_deck_and_dealer_at_every_table() -> None:
    """Whoever plays there, and whichever hand of the game it is."""
    one, _ = played_on([5, 2], GREEDY, options=MATCH)
    other, _ = played_on([2, 9, 5], MIXED, options=MATCH)
    first, second = (
        dict(zip(boards, deals(happened), strict=True)) for boards, happened in (([5, 2], one), ([2, 9, 5], other))
    )
    for board in (2, 5):
        assert first[board].deck == second[board].deck
        assert first[board].holdings == second[board].holdings
        assert (first[board].dealer, second[board].dealer) == ((board - 1) % 4,) * 2
    assert len({deal.deck for deal in second.values()}) == 3
    assert first[5].hand != second[5].hand


def test_the_deck_is_that_of_the_fairness_document() -> None:
    """From the master and the context of the tournament alone, and with a round from its randomness too."""
    for came in (None, ROUND):
        happened, state = opened_on([3], GREEDY, shown=came)
        context = BoardContext(
            tournament=TOURNAMENT, ruleset_hash=state.table.rules.ruleset_hash, players=4,
            beacon=None if came is None else came.beacon,
        )  # fmt: skip
        seed = board_seed(context, MASTER, None if came is None else bytes.fromhex(came.randomness), 3)
        (dealt,) = deals(happened)
        assert list(dealt.deck or ()) == shuffle.deck(seed, 3, 6)


def test_every_board_is_dealt_by_its_own_dealer() -> None:
    happened, _ = played_on([4, 1, 4, 7], ("random",) * 3, options=MATCH)
    assert [deal.dealer for deal in deals(happened)] == [0, 0, 0, 0]
    started = next(event for event in happened if isinstance(event, events.Started))
    assert started.first_dealer == 0
    happened, state = played_on([2, 5, 4], ("random",) * 4, options=MATCH)
    assert [deal.dealer for deal in deals(happened)] == [1, 0, 3]
    assert next_dealer(replace(state, hand=1)) == 0
    assert next_dealer(replace(begun(), hand=1, dealer=3)) == 0


def test_after_its_last_board_a_game_is_adjudicated_and_the_best_totals_win() -> None:
    happened, state = played_on([1, 2], MIXED, options=MATCH)
    *_, hand, ruling, over, revealed = happened
    assert isinstance(hand, HandEnded)
    assert isinstance(ruling, events.Adjudicated)
    assert (ruling.side, ruling.reason, hand.hand) == (None, "agreement", 2)
    assert isinstance(over, GameEnded)
    best = max(state.totals)
    assert list(over.winners) == [side for side, total in enumerate(state.totals) if total == best]
    assert isinstance(revealed, events.Revealed)


def test_a_game_may_end_before_its_last_board() -> None:
    happened, state = played_on([1, 2, 3], GREEDY, options={"hand_cap": 1})
    assert (len(deals(happened)), state.end_reason) == (1, "hand_cap")


def test_everything_that_comes_before_the_first_card_is_one_piece() -> None:
    happened, state = opened_on([6], ("greedy", "random"), shown=ROUND, stock="striped")
    kinds = [events.type_of(event) for event in happened]
    assert kinds == ["created", "seated", "seated", "closed", "started", "dealt"]
    assert [event.n for event in happened] == list(range(1, 7))
    created, _, _, closing, started, _ = happened
    assert isinstance(created, events.Created)
    assert created.fairness == {
        "algorithm": "MELD-BOARD-1", "tournament": TOURNAMENT, "commitment": board_commitment(MASTER), "boards": [6],
    }  # fmt: skip
    assert isinstance(closing, events.Closed)
    assert (closing.beacon, closing.nonce_commitments) == ({"chain": "ab" * 32, "round": 7}, (None, None))
    assert isinstance(started, events.Started)
    assert started.beacon is not None
    assert (started.beacon["randomness"], started.entropy) == (ROUND.randomness, (None, None))
    assert (state.table.status, state.phase, state.version) == ("playing", "draw", 6)
    assert replay(happened).holdings == state.holdings


def test_a_player_has_one_seat_of_a_board_game() -> None:
    with pytest.raises(LobbyRefused) as refused:
        opened_on([1], ("greedy",) * 7)
    assert refused.value.code is LobbyCode.PLAYERS_NOT_PERMITTED


@pytest.mark.parametrize("boards", [[], [0], [1, 2**32], [-1]])
def test_boards_count_from_one(boards: list[int]) -> None:
    with pytest.raises(LobbyRefused) as refused:
        board_terms(TOURNAMENT, MASTER, boards)
    assert (refused.value.code, refused.value.params["field"]) == (LobbyCode.TERMS_INVALID, "fairness.boards")


def test_no_player_brings_a_nonce_to_boards() -> None:
    game = Game(fairness=board_terms(TOURNAMENT, MASTER, [1]))
    game.seat_everybody()
    with pytest.raises(LobbyRefused) as refused:
        close(game.state, ["ab" * 32, None])
    assert refused.value.code is LobbyCode.NONCES_NOT_USED


# --- the reveal ---


def test_the_reveal_shows_the_master_and_what_its_boards_are_bound_to() -> None:
    happened, state = opened_on([3], GREEDY, shown=ROUND)
    over = adjudication(state, None, "ruling")
    state = fold(state, over)
    shown = CHANCE.revealed(state)
    assert (shown.master, shown.n) == (MASTER.hex(), state.version + 1)
    assert shown.context == {
        "algorithm": "MELD-BOARD-1", "tournament": TOURNAMENT, "ruleset_hash": state.table.rules.ruleset_hash,
        "players": 4, "beacon": {"chain": "ab" * 32, "round": 7},
    }  # fmt: skip
    assert "seats" not in shown.context
    assert happened[0].n == 1


def test_a_game_aborted_before_its_start_reveals_its_boards_as_well() -> None:
    game = Game(fairness=board_terms(TOURNAMENT, MASTER, [1]))
    game.add(abort(game.state, "technical"))
    assert CHANCE.revealed(game.state).context["beacon"] is None


def test_only_the_committed_master_is_revealed_and_only_after_the_end() -> None:
    _, state = opened_on([3], GREEDY)
    with pytest.raises(LobbyRefused) as refused:
        CHANCE.revealed(state)
    assert refused.value.code is LobbyCode.GAME_NOT_OVER
    state = fold(state, adjudication(state, None, "ruling"))
    with pytest.raises(LobbyRefused) as refused:
        BoardChance(TOURNAMENT, MASTER[::-1]).revealed(state)
    assert refused.value.code is LobbyCode.COMMITMENT_MISMATCH


# --- labels ---


@pytest.mark.parametrize(("came", "label"), [(None, "server_only"), (ROUND, "beacon")])
def test_a_table_on_boards_says_who_chose_them(came: Any, label: Any) -> None:
    _, state = opened_on([1], GREEDY, shown=came)
    assert (chosen_by(state.table), meaning(state.table)) == (label, BOARD_MEANINGS[label])
    assert BOARD_MEANINGS[label] != MEANINGS[label]


def test_other_tables_are_not_on_boards() -> None:
    assert not is_on_boards(begun().table)
    assert boards_of(begun().table) is None
    assert meaning(closed().table) == MEANINGS["server_only"]
    assert meaning(seated().table) is None


# --- striped stock (formats, part 8) ---


Taken = tuple[int, tuple[str, ...]]
"""A seat, and the cards that it got from the stock together."""


def taken_from_stock(happened: Sequence[AnyEvent]) -> list[Taken]:
    """What the seats got from the stock, in the order they got it."""
    taken: list[Taken] = []
    for event in happened:
        if isinstance(event, events.Drew):
            assert not isinstance(event.cards, int)
            taken.append((event.seat, event.cards))
        if isinstance(event, Dealt | events.Drew | events.TookPile):
            taken += [(laid.seat, (laid.replacement,)) for laid in event.red_threes if laid.replacement is not None]
        if isinstance(event, events.LaidRedThree) and event.replacement is not None:
            taken.append((event.seat, (event.replacement,)))
    return taken


def stripe(dealt: Dealt, seat: int, hand_size: int) -> list[str]:
    """A seat's stripe by the text of part 8: card i of the stock belongs to seat (dealer + 1 + i) mod n."""
    stock = list(dealt.deck or ())[hand_size * 4 + len(dealt.pile) :]
    return [card for i, card in enumerate(stock) if (dealt.dealer + 1 + i) % 4 == seat]


@pytest.mark.parametrize("ruleset", ["samba-official", "canasta-classic", "bolivia"])
def test_a_seat_draws_the_same_cards_whatever_the_others_do(ruleset: str) -> None:
    """As long as no stripe is empty and has to be helped out."""
    tables = [
        played_on([3], levels, seed, ruleset=ruleset, options=MATCH, stock="striped")
        for seed, levels in (("one", GREEDY), ("two", MIXED), ("three", ("random", "greedy", "random", "random")))
    ]
    whole = [stripe(deals(tables[0][0])[0], seat, tables[0][1].table.rules.hand_size) for seat in range(4)]
    seen = []
    for happened, _ in tables:
        stripes = [deque(own) for own in whole]
        taken = taken_from_stock(happened)
        for number, (seat, cards) in enumerate(taken):
            if any(len(own) < len(cards) for own in stripes):
                taken = taken[:number]
                break
            assert Counter(stripes[seat].popleft() for _ in cards) == Counter(cards)
        seen.append(taken)
    assert min(map(len, seen)) > 20
    assert seen[0] != seen[1] != seen[2] != seen[0], "The tables were played differently."


def test_from_a_common_stock_a_seat_draws_what_the_others_leave() -> None:
    """The same tables without stripes give a seat other cards: so the test above says something."""
    tables = [taken_from_stock(played_on([3], levels, "x", options=MATCH)[0]) for levels in (GREEDY, MIXED)]
    one, other = ([cards for seat, cards in taken if seat == 2][:9] for taken in tables)
    assert one != other


# --- the oracle: mirrored deals cancel ---


@pytest.mark.parametrize("stock", ["common", "striped"])
@pytest.mark.parametrize("ruleset", ["samba-official", "canasta-classic"])
def test_a_team_of_the_same_bots_at_both_tables_wins_nothing(ruleset: str, stock: str) -> None:
    """One pair sits north-south at one table, the other pair of the team east-west at the other table."""
    boards = [1, 2, 3, 4]
    (_, one), (_, other) = (
        played_on(boards, GREEDY, "oracle", ruleset=ruleset, options=MATCH, stock=stock) for _ in range(2)
    )
    assert one.hand == other.hand == 4
    assert any(total != 0 for total in one.totals)
    assert (one.totals[0] - one.totals[1]) + (other.totals[1] - other.totals[0]) == 0


def rotated(board: int, turn: int) -> State:
    """A board's deck, its dealer and the bots moved by some seats, played to the end of its hand."""
    (dealt,) = deals(opened_on([board], GREEDY)[0])
    origin = {"kind": "decks", "decks": [list(dealt.deck or ())], "dealer": (dealt.dealer + turn) % 4}
    game = Game(players=4, origin=origin)
    game.begin(PracticeChance())
    bots = [bot_of("greedy", game.state.table.rules) for _ in range(4)]
    streams = [shuffle.words(f"rotated/{(seat - turn) % 4}".encode()) for seat in range(4)]
    while game.state.phase != "game_over":
        done, _ = play_on(game.state, bots, streams, PracticeChance())
        game.add(done)
    return game.state


@pytest.mark.parametrize("board", [1, 2])
def test_a_board_turned_by_a_seat_gives_the_same_points_to_the_other_side(board: int) -> None:
    totals = [rotated(board, turn).totals for turn in range(4)]
    north_south, east_west = totals[0]
    assert totals == [(north_south, east_west), (east_west, north_south)] * 2
    assert sum(first - second for first, second in totals) == 0


def test_the_next_deal_of_a_game_on_boards_goes_to_the_boards_dealer() -> None:
    happened, _ = played_on([2, 8], GREEDY, options=MATCH)
    at = next(n for n, event in enumerate(happened) if isinstance(event, HandEnded))
    state = replay(happened[: at + 1])
    deck = CHANCE.deck(state)
    assert deck is not None
    assert next_deal(state, deck).dealer == 7 % 4
    assert CHANCE.deck(replace(state, hand=2)) is None


# --- forks ---


@pytest.fixture(scope="module")
def left() -> list[AnyEvent]:
    """A finished game on boards that do not follow one another, complete as it is stored."""
    happened, _ = played_on([2, 8, 3], GREEDY, options=MATCH, stock="striped")
    return [replace(event, hash=f"{event.n:064x}", prev=f"{event.n - 1:064x}") for event in happened]


@pytest.mark.parametrize("turn", range(4))
def test_a_fork_of_a_game_on_boards_goes_on_with_its_boards_and_their_dealers(left: list[AnyEvent], turn: int) -> None:
    ends = [event.n for event in left if isinstance(event, HandEnded)]
    n = (3, ends[0] // 2, ends[0], ends[1] - 5)[turn]
    goes_on(left, n)
    origin = fork_origin("g1", left, n, "original", SEED)
    assert origin["dealers"] == [3, 2][-len(origin["decks"]) :] if turn else [1, 3, 2]


def test_only_forks_of_boards_name_their_dealers(left: list[AnyEvent]) -> None:
    assert "dealers" not in fork_origin("g1", events_of(NAMES[0]), 5, "original", SEED)
    assert "dealers" not in fork_origin("g1", left, 5, "fresh", SEED)


@pytest.mark.parametrize("dealers", [[0], [0, 4], [0, 1, 2], [-1, 0]])
def test_a_fork_names_a_dealer_for_each_of_its_decks(left: list[AnyEvent], dealers: list[int]) -> None:
    ends = [event.n for event in left if isinstance(event, HandEnded)]
    origin = fork_origin("g1", left, ends[0] - 9, "original", SEED)
    with pytest.raises(LobbyRefused) as refused:
        begun_fork(left, origin | {"dealers": dealers})
    assert refused.value.params["field"] == "dealers"
