"""The description of the interface, served: for programs and for people."""

from typing import Final

from service.http.operations import AnswerKind, Call, Header, Operation, Reply

PUBLIC: Final[Header] = (b"cache-control", b"public, max-age=300")
HTML: Final = "text/html"


async def get_openapi(call: Call) -> Reply:
    return Reply(200, call.service.describe().document, (PUBLIC,))


async def get_docs(call: Call) -> Reply:
    return Reply(200, call.service.describe().page, (PUBLIC,), "text/html; charset=utf-8")


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
