"""The bell of a service that is one process."""

from service.bell.base import Listener
from service.bell.board import Board


class InProcessBell:
    """Fulfils `service.bell.base.Bell` for the listeners of this process only."""

    def __init__(self) -> None:
        self._board = Board()

    @property
    def listeners(self) -> int:
        return self._board.listeners

    def ring(self, stream: str, version: int) -> None:
        self._board.tell(stream, version)

    def listen(self, stream: str) -> Listener:
        return self._board.listen(stream)

    async def close(self) -> None:
        self._board.close()
