"""The yardsticks: python-chess (pure Python) and OpenSpiel's gin rummy (C++ called from Python)."""

import io
import random
from functools import cache

import chess
import chess.pgn
import pyspiel

from tests.bench.measuring import Yardstick

_GAMES = 20
_PLIES_MAX = 120


@cache
def _chess_games() -> list[list[chess.Move]]:
    chance = random.Random(1)
    games = []
    for _ in range(_GAMES):
        board = chess.Board()
        while board.ply() < _PLIES_MAX and any(board.legal_moves):
            board.push(chance.choice(list(board.legal_moves)))
        games.append(board.move_stack)
    return games


@cache
def _uci_games() -> list[list[str]]:
    return [[move.uci() for move in game] for game in _chess_games()]


@cache
def _pgn_texts() -> list[str]:
    texts = []
    for moves in _chess_games():
        root = chess.pgn.Game()
        node: chess.pgn.GameNode = root
        for move in moves:
            node = node.add_variation(move)
        texts.append(str(root))
    return texts


def chess_push() -> Yardstick:
    """The fold of chess: known moves put on a board, nothing checked."""

    def batch() -> int:
        for moves in _chess_games():
            board = chess.Board()
            for move in moves:
                board.push(move)
        return sum(map(len, _chess_games()))

    return Yardstick("python-chess push", batch)


def chess_push_uci() -> Yardstick:
    """Text parsed, checked against the rules, put on the board."""

    def batch() -> int:
        for moves in _uci_games():
            board = chess.Board()
            for move in moves:
                board.push_uci(move)
        return sum(map(len, _uci_games()))

    return Yardstick("python-chess parse+check+push", batch)


def chess_pgn() -> Yardstick:
    """A whole game record read."""

    def batch() -> int:
        for text in _pgn_texts():
            chess.pgn.read_game(io.StringIO(text))
        return sum(map(len, _chess_games()))

    return Yardstick("python-chess PGN reading", batch)


def chess_playout() -> Yardstick:
    """Random games by the list of legal moves."""
    chance = random.Random(1)

    def batch() -> int:
        board = chess.Board()
        for ply in range(_PLIES_MAX):
            moves = list(board.legal_moves)
            if not moves:
                return ply
            board.push(chance.choice(moves))
        return _PLIES_MAX

    return Yardstick("python-chess random playout", batch)


def openspiel_playout() -> Yardstick:
    """Random hands of gin rummy by the list of legal actions; the players' moves are counted, not the deal."""
    game = pyspiel.load_game("gin_rummy")
    chance = random.Random(1)

    def batch() -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            moves += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
        return moves

    return Yardstick("OpenSpiel gin rummy player moves", batch)


def openspiel_observation() -> Yardstick:
    """What one player sees of a hand, as text."""
    game = pyspiel.load_game("gin_rummy")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def batch() -> int:
        for _ in range(1000):
            state.observation_string(0)
        return 1000

    return Yardstick("OpenSpiel gin rummy observation", batch)
