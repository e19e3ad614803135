"""Names of time zones that tournaments may be held in."""

import pytest

from service.tournaments.local_times import zones


@pytest.mark.parametrize("name", ["localtime", "Factory", "posixrules", "Europe/Nowhere"])
def test_a_name_of_no_place_is_no_time_zone(name: str) -> None:
    assert name not in zones()


def test_places_and_utc_are() -> None:
    assert {"UTC", "Europe/Rome", "Pacific/Apia"} <= zones()
