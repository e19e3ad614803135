"""A campaign of faults as a command.

python -m tests.service.campaign --seconds 60 [--tables 4] [--workers 2] [--seed 1]
"""

import argparse
import asyncio

from tests.service.campaign.campaign import Plan, campaign


def main() -> None:
    """Run it and say what it came to; a broken promise ends it with a traceback."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.campaign", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to kill")
    parser.add_argument("--tables", type=int, default=4, help="how many tables play")
    parser.add_argument("--workers", type=int, default=2, help="how many workers serve")
    parser.add_argument("--seed", type=int, default=1, help="chooses pauses and victims")
    given = parser.parse_args()
    report = asyncio.run(campaign(Plan(given.seconds, given.tables, given.workers, given.seed)))
    faults = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in sorted(report.faults.items()))
    print(f"killed: {faults}")
    print(
        f"{report.games} games, {report.acknowledged} acknowledged commands, {report.events} events; "
        f"{report.repeats} requests repeated, {report.connections} connections of streams, "
        f"longest wait for an answer {report.longest_wait:.1f} s"
    )
    print("every acknowledged command is in the log once; chains, streams and records hold")


if __name__ == "__main__":
    main()
