"""A short campaign of faults, as a part of every run of the tests."""

from tests.service.campaign.campaign import Plan, campaign
from tests.service.campaign.faults import FAULTS


async def test_whatever_is_killed_no_acknowledged_move_is_lost_or_doubled() -> None:
    report = await campaign(Plan(seconds=10.0))
    assert len(report.faults) == len(FAULTS)
    assert report.acknowledged > 20
    assert report.repeats > 0
