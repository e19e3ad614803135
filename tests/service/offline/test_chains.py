"""Known chains of drand, by rounds that came out in the world, and chains from a file."""

from datetime import UTC, datetime
from pathlib import Path

import drand_verify
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from domain.beacons import Beacon, randomness_of, shown
from service.offline.beacons import KNOWN, Chains, ChainsFault, read_chains
from tests.domain import drand

QUICKNET, DEFAULT = KNOWN
ROUND = 657413
SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
RANDOMNESS = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
CHAINED_ROUND = 3311596
CHAINED_BEFORE = (
    "8ed588f2a7716fb1349e2d9803da5db0005e98a83783c353d4a08f183236a9ad91d70ddb01266f4b7c576983db464b430e65680b9e009855"
    "2758afd6c1e6afcb77e3f62fe1b93d42d1cb63abbb2205512fe12fbf74ea9c5ac3b8f5c1e283a1d8"
)
CHAINED_SIGNATURE = (
    "a696b9409ababce45749c3a4ec369074453dd4a79967734e1390d969c8ad8d98897d217b9121e92c8ddebbddda8d92f900e3bd6bf9deb166"
    "863b1a19390d743f82774001487594c5c09e581db7365f02b70a2c8cc41ce32446ef08e4890c4754"
)
CHAINED_RANDOMNESS = "647c07b2abbf7ff2afb4d670214f565e5cd9f9c91bfdcecb59a21f3c78d73920"


def test_a_recorded_round_of_quicknet_is_signed() -> None:
    found = shown(Beacon(QUICKNET.chain, ROUND), SIGNATURE)
    assert found.randomness == RANDOMNESS
    assert Chains().signed(found)


def test_a_recorded_round_is_that_round_and_no_other() -> None:
    found = shown(Beacon(QUICKNET.chain, ROUND), SIGNATURE)
    assert not Chains().signed(replace(found, round=ROUND + 1))
    assert not Chains().signed(replace(found, randomness="00" * 32))
    assert not Chains().signed(shown(Beacon(QUICKNET.chain, ROUND), SIGNATURE[:-2] + "7c"))


def test_rounds_of_a_chained_scheme_need_the_signature_before() -> None:
    """The key and the library are right for it, and yet it is not offered: an event has no place for that signature."""
    verified = drand_verify.verify_pedersen_bls_chained(
        CHAINED_ROUND, CHAINED_BEFORE, CHAINED_SIGNATURE, DEFAULT.public_key
    )
    assert verified == CHAINED_RANDOMNESS == randomness_of(CHAINED_SIGNATURE)
    assert Chains().of("default") is None
    assert "without the signature before" in (Chains().why_unchecked(DEFAULT.chain) or "")
    assert Chains().offered == (QUICKNET,)


@given(st.integers(1, 2**40), st.binary(min_size=48, max_size=96))
def test_no_bytes_that_are_not_a_signature_do_any_harm(number: int, signature: bytes) -> None:
    assert not Chains().signed(shown(Beacon(QUICKNET.chain, number), signature.hex()))


@given(st.floats(0, 4e9), st.integers(1, 3600), st.integers(0, 2**31))
def test_closing_takes_the_first_round_that_nobody_can_know(now: float, period: int, genesis: int) -> None:
    chain = replace(QUICKNET, period_seconds=period, genesis=genesis)
    number = chain.fixed_at(now).round
    assert number >= 1
    assert chain.due(number) >= now + 2 * period
    assert number == 1 or chain.due(number - 1) < now + 2 * period


@pytest.mark.parametrize(("ahead", "foreseen"), [(6.0, False), (5.999, True), (0.0, True), (100.0, False)])
def test_a_round_less_than_two_periods_ahead_may_have_been_known(ahead: float, foreseen: bool) -> None:
    due = QUICKNET.due(ROUND)
    at = datetime.fromtimestamp(due - ahead, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    assert Chains().foreseen(Beacon(QUICKNET.chain, ROUND), at) is foreseen


@pytest.mark.parametrize(
    ("at", "foreseen"),
    [
        ("2016-12-31T23:59:60Z", False),
        ("2024-02-30T00:00:00Z", True),
        ("0000-01-01T00:00:00Z", False),
        ("9999-12-31T23:59:60.999999999Z", True),
        ("yesterday", True),
    ],
)
def test_no_time_that_an_event_may_have_does_any_harm(at: str, foreseen: bool) -> None:
    """A leap second, a day that is not in the calendar, a year before the first: RFC 3339 lets them pass."""
    assert Chains().foreseen(Beacon(QUICKNET.chain, ROUND), at) is foreseen


# --- chains from a file ---


def written(path: Path, *chains: object) -> Path:
    path.write_bytes(msgspec.json.encode(chains))
    return path


def test_a_file_adds_chains_to_those_known(tmp_path: Path) -> None:
    own = drand.chain(1_700_000_000)
    chains = read_chains(written(tmp_path / "chains.json", own))
    assert [chain.name for chain in chains.offered] == ["quicknet", "tests"]
    assert chains.of(own.chain) == chains.of("tests") == own
    assert chains.signed(shown(Beacon(own.chain, 7), drand.signature(7)))
    assert not chains.signed(shown(Beacon(own.chain, 8), drand.signature(7)))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"name": "quicknet"}, "Two chains are called quicknet"),
        ({"chain": QUICKNET.chain}, "Two chains are called 52db9b"),
        ({"public_key": "00" * 96}, "is no key of its scheme"),
        ({"public_key": QUICKNET.public_key[:96]}, "is no key of its scheme"),
        ({"period_seconds": 0}, "period_seconds"),
        ({"scheme": "trust-me"}, "scheme"),
        ({"more": 1}, "more"),
        ({"name": "Not A Name"}, "name"),
    ],
)
def test_a_chain_that_cannot_be_used_is_refused(
    tmp_path: Path, changed: dict[str, object], why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "chains.json", asdict(drand.chain(0)) | changed)
    with pytest.raises(ChainsFault, match=why) as caught:
        read_chains(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(ChainsFault, match="cannot be read"):
        read_chains(tmp_path / "nowhere.json")
    (tmp_path / "text.json").write_text("chains")
    with pytest.raises(ChainsFault, match="is no list of chains"):
        read_chains(tmp_path / "text.json")
