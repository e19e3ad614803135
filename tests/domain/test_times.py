"""Times of events as numbers."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from domain.times import milliseconds

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def since(at: str) -> int:
    """Milliseconds since 2000."""
    moment, epoch = milliseconds(at), milliseconds("2000-01-01T00:00:00Z")
    assert moment is not None
    assert epoch is not None
    return moment - epoch


def test_times_lie_as_far_apart_as_the_calendar_has_it() -> None:
    random = Random(1)
    for _ in range(5000):
        moment = datetime(1, 1, 1, tzinfo=UTC) + timedelta(
            days=random.randrange(3_652_000), milliseconds=random.randrange(86_400_000)
        )
        text = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        assert since(text) == (moment - EPOCH) // timedelta(milliseconds=1)


@pytest.mark.parametrize("year", [1900, 1999, 2000, 2024, 2026, 2100, 9999])
def test_every_day_of_a_year_follows_the_one_before(year: int) -> None:
    day = datetime(year, 1, 1, tzinfo=UTC)
    while day.year == year:
        assert since(f"{day:%Y-%m-%d}T00:00:00Z".zfill(20)) == (day - EPOCH) // timedelta(milliseconds=1)
        if day.month == 12 and day.day == 31:
            return
        day += timedelta(days=1)


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2000-01-01T00:00:00.1Z", 100),
        ("2000-01-01T00:00:00.1239Z", 123),
        ("2000-01-01T00:00:01+00:00", 1000),
        ("2000-01-01T00:00:60Z", 60_000),
    ],
)
def test_fractions_are_cut_to_the_millisecond(at: str, told: int) -> None:
    assert since(at) == told


@pytest.mark.parametrize(
    "at",
    ["", "yesterday", "2000-01-01", "2000-01-01T00:00:00", "2000-01-01T00:00:00+01:00", "2000-13-01T00:00:00Z",
     "2000-00-01T00:00:00Z", "2000-01-00T00:00:00Z", "2000-01-01T00:00:00Z\n", "٢٠٠٠-01-01T00:00:00Z"],
)  # fmt: skip
def test_what_is_no_time_in_utc_is_none(at: str) -> None:
    assert milliseconds(at) is None
