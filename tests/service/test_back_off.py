"""When something that died is begun again."""

from service.back_off import CALM_SECONDS, PAUSE_SECONDS_MAX, PAUSE_SECONDS_MIN, UNSERVED_DEATHS_MAX, BackOff


def test_what_served_may_die_any_number_of_times() -> None:
    back_off = BackOff()
    for now in range(1000):
        back_off.served(now)
        assert back_off.died(now + 0.5) <= PAUSE_SECONDS_MAX
        assert not back_off.hopeless


def test_pauses_grow_with_quick_deaths_up_to_a_bound() -> None:
    back_off = BackOff()
    pauses = [back_off.died(now) for now in range(8)]
    assert pauses[:3] == [PAUSE_SECONDS_MIN, 2 * PAUSE_SECONDS_MIN, 4 * PAUSE_SECONDS_MIN]
    assert pauses[-2:] == [PAUSE_SECONDS_MAX, PAUSE_SECONDS_MAX]


def test_whoever_served_for_long_is_begun_again_at_once() -> None:
    back_off = BackOff()
    for now in range(5):
        back_off.died(now)
    back_off.served(10.0)
    assert back_off.died(10.0 + CALM_SECONDS) == PAUSE_SECONDS_MIN


def test_what_never_serves_is_hopeless_after_some_attempts() -> None:
    back_off = BackOff()
    for now in range(UNSERVED_DEATHS_MAX - 1):
        back_off.died(now)
    assert not back_off.hopeless
    back_off.died(UNSERVED_DEATHS_MAX)
    assert back_off.hopeless


def test_serving_once_gives_new_hope() -> None:
    back_off = BackOff()
    for now in range(UNSERVED_DEATHS_MAX - 1):
        back_off.died(now)
    back_off.served(100.0)
    back_off.died(101.0)
    assert not back_off.hopeless
