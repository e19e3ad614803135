"""The description of the interface, served: for programs and for people."""

from functools import cache
from typing import Final

from service.http.operations import AnswerKind, Call, Header, Operation, Reply

PUBLIC: Final[Header] = (b"cache-control", b"public, max-age=300")
HTML: Final = "text/html"


@cache
def _document() -> tuple[bytes, bytes]:
    """The description and its page; made once, since it describes the operation that asks for it, too."""
    from service.http.docs import page
    from service.http.openapi import document, document_bytes

    return document_bytes(), page(document())


async def get_openapi(_call: Call) -> Reply:
    return Reply(200, _document()[0], (PUBLIC,))


async def get_docs(_call: Call) -> Reply:
    return Reply(200, _document()[1], (PUBLIC,), "text/html; charset=utf-8")


OPERATIONS: Final = (
    Operation(
        id="getOpenapi",
        method="GET",
        path="/v1/openapi.json",
        tag="operations",
        summary="This description",
        credential="none",
        answers=(AnswerKind(status=200, description="OpenAPI 3.1.", kind=dict),),
        run=get_openapi,
    ),
    Operation(
        id="getDocs",
        method="GET",
        path="/docs",
        tag="operations",
        summary="This description as a page",
        credential="none",
        answers=(AnswerKind(status=200, description="A page.", kind=str, media_types=(HTML,)),),
        run=get_docs,
    ),
)
