"""The calendar of a tournament, to be subscribed to: no token, since programs that keep calendars send none."""

from typing import Final

from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.tournaments.documents import SAME, document, title_of
from service.http.tournaments.shown import find

MEDIA_TYPE: Final = "text/calendar; charset=utf-8"


async def get_calendar(call: Call) -> Reply:
    # The library takes a tenth of a second to load, which no start should wait for.
    from service.tournaments.calendar import calendar_of

    state = (await find(call)).state
    title = await title_of(call, state)
    url = f"{call.origin}/tournaments/{state.id}"
    key = ("calendar", state.id, state.version, title, url)
    return document(call, await call.service.rendered.of(key, lambda: calendar_of(state, title, url)), MEDIA_TYPE)


OPERATIONS: Final = (
    Operation(
        id="getCalendar",
        method="GET",
        path="/v1/tournaments/{tournament_id}/calendar.ics",
        tag="tournaments",
        summary="The rounds as a calendar (iCalendar)",
        description="An appointment for every round whose time is known, in the tournament's time zone, whose clock "
        "changes come with it. Appointments keep their `UID`, and move or are cancelled when rounds do.",
        credential="none",
        headers=("If-None-Match",),
        answers=(
            AnswerKind(status=200, description="The calendar.", kind=str, media_types=("text/calendar",)),
            SAME,
        ),
        problems=("tournament_not_found",),
        run=get_calendar,
    ),
)
