"""The chains of drand that commands know: by option, by setting, and not at all."""

from pathlib import Path

import msgspec

from tests.domain import drand
from tests.domain.records.test_deals import CHAIN, FIXED, with_beacon
from tests.service.cli.running import refused, told


def files(tmp_path: Path) -> tuple[Path, Path]:
    record, chains = tmp_path / "game.meld.jsonl", tmp_path / "chains.json"
    record.write_bytes(b"".join(with_beacon()))
    chains.write_bytes(msgspec.json.encode([CHAIN]))
    return record, chains


def test_a_record_with_a_beacon_is_checked_by_the_chains_of_a_file(tmp_path: Path) -> None:
    record, chains = files(tmp_path)
    for line in (
        told("verify", record, "--chains", chains),
        told("verify", record, MELDHOUSE_BEACON_CHAINS=str(chains)),
    ):
        assert ": ok, " in line
        assert "not checked" not in line


def test_a_beacon_whose_chain_is_not_known_is_told_to_be_unchecked(tmp_path: Path) -> None:
    record, _ = files(tmp_path)
    line = told("verify", record)
    assert line.endswith(
        f"beacon_signature not checked: The chain {FIXED.chain} is not among those that are known here.\n"
    )


def test_a_file_of_chains_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    record, chains = files(tmp_path)
    chains.write_bytes(msgspec.json.encode([drand.chain(0, name="quicknet")]))
    assert "Two chains are called quicknet" in refused("verify", record, "--chains", chains)
    assert "Two chains are called quicknet" in refused("serve", MELDHOUSE_BEACON_CHAINS=str(chains))
