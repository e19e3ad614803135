"""What cannot even be read as a request is answered with a problem document, too."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.http.endpoints import next_request
from service.http.problems import Problem

_STATUS_LINE: Final = b"HTTP/1.1 400 Bad Request\r\n"


class Protocol(HttpToolsProtocol):
    """HTTP/1.1 as the server reads it."""

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and let go of the connection."""
        problem = Problem("malformed_request", msg)
        body = problem.body(next_request())
        headers = [
            *problem.all_headers(),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        lines = b"".join([name + b": " + value + b"\r\n" for name, value in headers])
        self.transport.write(_STATUS_LINE + lines + b"\r\n" + body)
        self.transport.close()
