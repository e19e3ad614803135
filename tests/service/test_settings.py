"""Settings from the environment: names, defaults, checks and the list of all faults."""

import os
import pwd
from pathlib import Path

import pytest

from service.embedded.postgres import SERVER_OPTIONS
from service.settings import (
    EMBEDDED_CONNECTIONS_MAX,
    Settings,
    SettingsFault,
    default_state_dir,
    misspelt,
    setting_rows,
)

HOME = {"HOME": "/home/anna"}


def faults_of(**environment: str) -> tuple[str, ...]:
    with pytest.raises(SettingsFault) as caught:
        Settings.from_env(HOME | environment)
    return caught.value.faults


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = Settings.from_env({})
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert settings.database_url is None
    assert settings.redis_url is None
    assert (settings.body_bytes_max, settings.nesting_max, settings.moves_per_request_max) == (65536, 32, 64)
    assert settings.state_dir.is_absolute()


def test_every_kind_of_setting_is_read_from_its_text() -> None:
    settings = Settings.from_env(
        {
            "MELDHOUSE_PORT": "9000",
            "MELDHOUSE_STOP_SECONDS": "2.5",
            "MELDHOUSE_LOG_FORMAT": "json",
            "MELDHOUSE_STATE_DIR": "/srv/meldhouse",
            "MELDHOUSE_POSTGRES_BIN": "/opt/pg/bin",
            "DATABASE_URL": "postgresql://u:p@db/meldhouse",
            "REDIS_URL": "unix:///run/valkey.sock",
        }
    )
    assert settings.port == 9000
    assert settings.stop_seconds == 2.5
    assert settings.log_format == "json"
    assert settings.state_dir == Path("/srv/meldhouse")
    assert settings.postgres_bin == Path("/opt/pg/bin")
    assert settings.database_url == "postgresql://u:p@db/meldhouse"
    assert settings.redis_url == "unix:///run/valkey.sock"


def test_a_variable_that_is_empty_counts_as_unset() -> None:
    assert Settings.from_env({"DATABASE_URL": "", "MELDHOUSE_PORT": ""}).port == 8000


def test_all_faults_are_told_at_once() -> None:
    faults = faults_of(MELDHOUSE_PORT="70000", MELDHOUSE_LOG_LEVEL="loud", MELDHOUSE_WORKERS="0")
    assert faults == (
        "MELDHOUSE_PORT must be a whole number of at least 0 and at most 65535, but is '70000'",
        "MELDHOUSE_WORKERS must be a whole number of at least 1 and at most 64, but is '0'",
        "MELDHOUSE_LOG_LEVEL must be one of debug, info, warning, error, but is 'loud'",
    )


@pytest.mark.parametrize("text", ["abc", "-1", "1.5", "0x10", "1_000", " 1", "nan", "1e999", "9" * 5000])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    assert len(faults_of(MELDHOUSE_PORT=text)) == 1


@pytest.mark.parametrize("text", ["nan", "inf", "0", "-1", "61", "soon"])
def test_a_time_out_of_bounds_is_refused(text: str) -> None:
    assert len(faults_of(MELDHOUSE_STOP_SECONDS=text)) == 1


def test_an_address_of_another_kind_is_refused_without_repeating_its_password() -> None:
    (fault,) = faults_of(DATABASE_URL="mysql://u:hush@db/x")
    assert fault == "DATABASE_URL must be an address that begins with postgresql:// or postgres://"


def test_a_relative_state_directory_is_refused() -> None:
    assert faults_of(MELDHOUSE_STATE_DIR="state") == ("MELDHOUSE_STATE_DIR must be an absolute path, but is 'state'",)


def test_the_shortest_turn_must_not_be_longer_than_the_longest() -> None:
    (fault,) = faults_of(MELDHOUSE_MOVE_SECONDS_MIN="100", MELDHOUSE_MOVE_SECONDS_MAX="10")
    assert fault == "MELDHOUSE_MOVE_SECONDS_MIN (100) must not be above MELDHOUSE_MOVE_SECONDS_MAX (10)"


def test_the_embedded_postgres_must_have_a_connection_for_everybody() -> None:
    many = {"MELDHOUSE_WORKERS": "64", "MELDHOUSE_DATABASE_CONNECTIONS_MAX": "8"}
    (fault,) = faults_of(**many)
    assert fault == (
        "MELDHOUSE_WORKERS (64), each with MELDHOUSE_DATABASE_CONNECTIONS_MAX (8) connections and one more, must not "
        "need more than the 200 of the embedded Postgres; DATABASE_URL names another one"
    )
    assert Settings.from_env(HOME | many | {"DATABASE_URL": "postgresql://u@db/m"}).workers == 64
    assert Settings.from_env(HOME | {"MELDHOUSE_WORKERS": "22"}).workers == 22
    assert len(faults_of(MELDHOUSE_WORKERS="23")) == 1
    assert len(faults_of(MELDHOUSE_DATABASE_CONNECTIONS_MAX="200")) == 1


def test_the_embedded_postgres_has_the_connections_that_are_counted_on() -> None:
    assert SERVER_OPTIONS["max_connections"] == str(EMBEDDED_CONNECTIONS_MAX)


def test_a_token_that_is_too_short_is_refused_without_repeating_it() -> None:
    (fault,) = faults_of(MELDHOUSE_METRICS_TOKEN="hush")
    assert fault == "MELDHOUSE_METRICS_TOKEN must be some text of at least 16 characters"


def test_every_setting_is_explained_and_its_default_passes_its_own_check() -> None:
    rows = setting_rows()
    assert len({row.name for row in rows}) == len(rows) == len(Settings.__struct_fields__)
    assert all(row.meaning and row.expectation for row in rows)
    defaults = {row.name: row.default for row in rows if row.default != "unset" and row.name != "MELDHOUSE_STATE_DIR"}
    assert Settings.from_env(defaults) == Settings.from_env({})


def test_state_follows_the_home_of_a_user() -> None:
    assert default_state_dir(HOME, uid=1000) == Path("/home/anna/.local/state/meldhouse")
    assert default_state_dir(HOME | {"XDG_STATE_HOME": "/data"}, uid=1000) == Path("/data/meldhouse")


def test_a_state_home_that_is_relative_is_ignored() -> None:
    assert default_state_dir(HOME | {"XDG_STATE_HOME": "data"}, uid=1000) == Path("/home/anna/.local/state/meldhouse")


def test_a_user_without_a_home_must_name_the_state_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    with pytest.raises(SettingsFault) as caught:
        Settings.from_env({})
    assert caught.value.faults == ("MELDHOUSE_STATE_DIR must be set, because this user has no home",)
    assert Settings.from_env({"MELDHOUSE_STATE_DIR": "/srv/m"}).state_dir == Path("/srv/m")


def test_state_of_root_is_outside_every_home() -> None:
    own = default_state_dir({"HOME": pwd.getpwuid(0).pw_dir}, uid=0)
    borrowed = default_state_dir(HOME, uid=0)
    assert own == default_state_dir({}, uid=0) == Path("/var/lib/meldhouse")
    assert borrowed.parent == own.parent
    assert borrowed != own


def test_a_misspelt_setting_is_noticed() -> None:
    assert misspelt({"MELDHOUSE_PROT": "1", "MELDHOUSE_HOST": "::1", "PATH": os.defpath}) == {
        "MELDHOUSE_PROT": "MELDHOUSE_PORT"
    }
