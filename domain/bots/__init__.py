"""Bots: from a seat's own view and its legal moves to the moves it sends. None of them ever sees the state."""

from domain.bots.bot import LEVELS, Bot, BotLevelUnknownError, bot_of

__all__ = ["LEVELS", "Bot", "BotLevelUnknownError", "bot_of"]
