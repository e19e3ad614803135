"""Every setting of the service: its name in the environment, its default and its check.

A setting is one field of `Settings`: the field `port` is read from `MELDHOUSE_PORT`. Only the addresses of
other servers have the names that everybody uses: `DATABASE_URL`, `REDIS_URL`. A setting more is a field more.
"""

import difflib
import hashlib
import os
import pwd
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from msgspec import NODEFAULT, Meta

PREFIX = "MELDHOUSE_"
MOVE_SECONDS_MIN = 5
MOVE_SECONDS_MAX = 7 * 24 * 3600
EMBEDDED_CONNECTIONS_MAX = 200
"""Of the embedded Postgres; each worker opens one more than `database_connections_max`, to write."""
SECRETS = frozenset({"metrics_token"})
SECRET_LENGTH_MIN = 16
SHARED_NAMES = {"database_url": "DATABASE_URL", "redis_url": "REDIS_URL"}
URL_SCHEMES = {
    "database_url": ("postgresql", "postgres"),
    "redis_url": ("redis", "rediss", "unix"),
    "public_url": ("http", "https"),
    "beacon_url": ("http", "https"),
    "witness_url": ("http", "https"),
}


class SettingsFault(Exception):
    """Settings that cannot be used; `faults` names every one of them, each with what was expected."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings, read once at the start and handed to whoever needs them. Times are in seconds."""

    state_dir: Annotated[Path, Meta(description="where the embedded servers keep their data and logs")]

    host: Annotated[str, Meta(min_length=1, description="address to listen on")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="port to listen on; 0 takes a free one")] = 8000
    workers: Annotated[int, Meta(ge=1, le=64, description="processes that answer requests")] = 1
    public_url: Annotated[str | None, Meta(description="address in share links, when a proxy is in front")] = None

    database_url: Annotated[str | None, Meta(description="Postgres to use; an embedded one if unset")] = None
    database_role: Annotated[
        str, Meta(min_length=1, description="role taken on in the database; none to work as the login itself")
    ] = "meldhouse_app"
    database_connections_max: Annotated[int, Meta(ge=4, le=1000, description="connections of one worker")] = 8
    database_waiting_max: Annotated[
        int, Meta(ge=1, le=100_000, description="requests that wait for a connection of one worker")
    ] = 1024
    database_wait_seconds: Annotated[
        float, Meta(gt=0, le=60, description="longest wait of a request for a connection")
    ] = 1.0
    postgres_bin: Annotated[Path | None, Meta(description="directory with initdb and postgres to embed")] = None
    redis_url: Annotated[str | None, Meta(description="Redis for the bell; an embedded Valkey if unset")] = None
    valkey_bin: Annotated[Path | None, Meta(description="valkey-server or redis-server to embed")] = None
    embedded_start_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="longest wait for an embedded server, recovery included")
    ] = 60.0

    log_level: Annotated[Literal["debug", "info", "warning", "error"], Meta(description="least that is logged")] = (
        "info"
    )
    log_format: Annotated[Literal["console", "json"], Meta(description="for people or for programs")] = "console"
    metrics_token: Annotated[
        str | None, Meta(description="bearer token for /metrics; if unset only this machine may read them")
    ] = None
    stop_seconds: Annotated[float, Meta(gt=0, le=60, description="longest wait for open requests at the end")] = 1.0

    body_bytes_max: Annotated[int, Meta(ge=1024, le=2**24, description="largest request body")] = 65536
    headers_bytes_max: Annotated[int, Meta(ge=1024, le=2**20, description="largest address and headers together")] = (
        16384
    )
    request_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="longest time for a request to come in whole")
    ] = 20.0
    nesting_max: Annotated[int, Meta(ge=8, le=128, description="deepest nesting of a request body")] = 32
    moves_per_request_max: Annotated[int, Meta(ge=1, le=1000, description="longest list of moves")] = 64
    page_items_max: Annotated[int, Meta(ge=1, le=200, description="longest page of a list of games")] = 200
    page_events_max: Annotated[int, Meta(ge=1, le=1000, description="longest page of a game's events")] = 1000
    review_events_max: Annotated[
        int, Meta(ge=1, le=1_000_000, description="longest game that is gone through for highlights or a fork")
    ] = 20_000
    reviews_max: Annotated[
        int, Meta(ge=1, le=10_000, description="requests that wait until a game is gone through for them")
    ] = 64
    verifications_max: Annotated[int, Meta(ge=1, le=10_000, description="games that wait to be verified")] = 64
    verification_bytes_max: Annotated[
        int, Meta(ge=65_536, le=2**30, description="largest record that is sent in to be verified")
    ] = 2**25
    verification_uploads_max: Annotated[
        int, Meta(ge=1, le=64, description="records sent in that one worker verifies at a time")
    ] = 2
    verification_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="longest time for a record to come in and be verified")
    ] = 120.0
    connections_max: Annotated[int, Meta(ge=1, description="open connections of one worker")] = 12_000
    streams_max: Annotated[int, Meta(ge=1, description="open live streams of one worker")] = 10_000
    stream_send_seconds: Annotated[
        float,
        Meta(gt=0, le=3600, description="how long the reader of a stream or answer may stall before it is cut off"),
    ] = 30.0
    keep_alive_seconds: Annotated[float, Meta(gt=0, le=3600, description="longest silence of a live stream")] = 15.0
    games_cached_max: Annotated[int, Meta(ge=1, description="games that one worker keeps in memory")] = 10_000
    tournaments_cached_max: Annotated[int, Meta(ge=1, description="tournaments that one worker keeps in memory")] = 100
    tournament_patience_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="after this another worker takes up what follows in a tournament")
    ] = 5.0
    tournament_feed_seconds: Annotated[
        float, Meta(gt=0, le=60, description="how often games of tournaments that others ended are looked for")
    ] = 1.0
    tournament_sweep_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="how often every tournament under way is looked at, whatever was heard")
    ] = 30.0
    import_entrants_max: Annotated[int, Meta(ge=2, le=500, description="most entrants of one list or file")] = 500
    import_bytes_max: Annotated[int, Meta(ge=65_536, le=2**24, description="largest file of a tournament")] = 2**22
    import_places_max: Annotated[int, Meta(ge=100, description="most rounds of a file, times its entrants")] = 10_000
    imports_waiting_max: Annotated[int, Meta(ge=1, description="tournaments that one worker imports by turns")] = 8
    event_batch_max: Annotated[int, Meta(ge=1, le=4096, description="appends written by one transaction")] = 256
    bell_poll_seconds: Annotated[float, Meta(gt=0, le=60, description="how long a lost bell may delay a reader")] = 2.0
    standings_stream_seconds: Annotated[
        float, Meta(gt=0, le=600, description="how often at most a live stream tells the standings of a tournament")
    ] = 1.0
    bot_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="after this a bot's turn is taken up by another worker")
    ] = 5.0
    deadline_poll_seconds: Annotated[
        float, Meta(gt=0, le=60, description="how often timers that are due are looked for")
    ] = 0.5
    erasure_poll_seconds: Annotated[
        float, Meta(gt=0, le=60, description="how long a worker may know a name or token that was erased on another")
    ] = 2.0
    tokens_per_player_max: Annotated[int, Meta(ge=1, le=10_000, description="good tokens that one player may have")] = (
        50
    )
    token_seconds_max: Annotated[
        int, Meta(ge=60, le=3_153_600_000, description="longest life of a token that is made with another one")
    ] = 31_536_000
    nonce_seconds: Annotated[
        float, Meta(gt=0, le=86_400, description="time to reveal a nonce once a table is closed")
    ] = 60.0
    beacon_url: Annotated[
        str | None, Meta(description="relay of drand to get rounds of beacons from; players bring them if unset")
    ] = None
    beacon_chains: Annotated[Path | None, Meta(description="file with further drand chains, a JSON list")] = None
    beacon_request_seconds: Annotated[
        float, Meta(gt=0, le=60, description="longest wait for an answer of that relay")
    ] = 5.0
    beacon_late_seconds: Annotated[
        float, Meta(gt=0, le=604_800, description="how late a beacon's round may be until the game is aborted")
    ] = 3600.0
    open_table_seconds: Annotated[
        float, Meta(gt=0, le=31_536_000, description="how long a table may wait for its start until it is aborted")
    ] = 604_800.0
    fairness_counters_seconds: Annotated[
        float, Meta(gt=0, le=3600, description="how old the public counters of fairness may be")
    ] = 10.0
    seal_seconds_max: Annotated[int, Meta(ge=1, description="longest time for which a game may be sealed")] = 2_592_000
    checkpoint_seconds: Annotated[
        float, Meta(gt=0, le=60, description="longest time until new events are sealed by a signed checkpoint")
    ] = 1.0
    checkpoint_events_max: Annotated[
        int, Meta(ge=1, le=100_000, description="so many new events are sealed before that time is over")
    ] = 1000
    rating_poll_seconds: Annotated[
        float, Meta(gt=0, le=60, description="how often results that are to be rated are looked for")
    ] = 1.0
    rating_preview_results_max: Annotated[
        int, Meta(ge=1, le=1_000_000, description="longest row of results that a preview of a ruling folds again")
    ] = 20_000
    page_ratings_max: Annotated[int, Meta(ge=1, le=200, description="longest page of ratings")] = 200
    page_entrants_max: Annotated[int, Meta(ge=1, le=1000, description="longest page of entrants, standings …")] = 1000
    page_checkpoints_max: Annotated[int, Meta(ge=1, le=1000, description="longest page of signed lines")] = 1000
    keys_dir: Annotated[
        Path | None, Meta(description="where the keys are that sign checkpoints; keys in the state directory if unset")
    ] = None
    witness_file: Annotated[Path | None, Meta(description="file to which every signed line of the log is added")] = None
    witness_url: Annotated[str | None, Meta(description="address to which every signed line of the log is posted")] = (
        None
    )
    witness_seconds: Annotated[float, Meta(gt=0, le=60, description="longest wait for that address to take a line")] = (
        5.0
    )
    move_seconds_min: Annotated[int, Meta(ge=1, description="shortest turn a table may set")] = MOVE_SECONDS_MIN
    move_seconds_max: Annotated[int, Meta(ge=1, description="longest turn a table may set")] = MOVE_SECONDS_MAX

    @classmethod
    def from_env(cls, environment: Mapping[str, str]) -> Self:
        """Settings from variables such as `os.environ`. A variable that is set but empty counts as not set.

        Raises `SettingsFault`, which lists all faults at once.
        """
        values: dict[str, Any] = {}
        faults: list[str] = []
        for field in msgspec.structs.fields(cls):
            name = variable(field.name)
            text = environment.get(name, "")
            if not text:
                continue
            try:
                values[field.name] = _convert(text, field.name, field.type)
            except (msgspec.ValidationError, ValueError):
                # An address may hold a password, so it is not repeated.
                found = "" if field.name in URL_SCHEMES or field.name in SECRETS else f", but is {text!r}"
                faults.append(f"{name} must be {expectation(field.name, field.type)}{found}")
        if "state_dir" not in values:
            try:
                values["state_dir"] = default_state_dir(environment, os.geteuid())
            except KeyError:
                faults.append(f"{variable('state_dir')} must be set, because this user has no home")
        faults.extend(_contradictions(values))
        if faults:
            raise SettingsFault(tuple(faults))
        return cls(**values)


class SettingRow(msgspec.Struct, frozen=True):
    """One line of the table of settings, all of it text for people."""

    name: str
    default: str
    expectation: str
    meaning: str


def setting_rows() -> tuple[SettingRow, ...]:
    """All settings for the documentation and `--help`, in the order of `Settings`."""
    return tuple(
        SettingRow(
            name=variable(field.name),
            default=_default_text(field.name, field.default),
            expectation=expectation(field.name, field.type),
            meaning=_meta(field.type).description or "",
        )
        for field in msgspec.structs.fields(Settings)
    )


def variable(field: str) -> str:
    """The environment variable of a field: `port` is `MELDHOUSE_PORT`."""
    return SHARED_NAMES.get(field, PREFIX + field.upper())


def misspelt(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that look like a setting but are none, each with the setting that may have been meant.

    They are no faults: Kubernetes, for one, sets such variables itself for a service named meldhouse.
    """
    known = [variable(name) for name in Settings.__struct_fields__]
    unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
    guesses = {name: difflib.get_close_matches(name, known, n=1, cutoff=0.8) for name in unknown}
    return {name: guess[0] for name, guess in guesses.items() if guess}


def default_state_dir(environment: Mapping[str, str], uid: int) -> Path:
    """Where state goes if nothing is said: the XDG state directory of a user.

    Root's servers run as another user, who may not enter root's home: their state is under /var/lib. A home
    other than root's own gets a directory of its own there, as it would for any other user.
    Raises `KeyError` if there is neither a home in the environment nor a user with that number.
    """
    state_home = Path(environment.get("XDG_STATE_HOME", ""))
    if not state_home.is_absolute():
        state_home = Path(environment.get("HOME") or pwd.getpwuid(uid).pw_dir) / ".local" / "state"
    if uid != 0:
        return state_home / "meldhouse"
    if state_home == Path(pwd.getpwuid(0).pw_dir) / ".local" / "state":
        return Path("/var/lib/meldhouse")
    return Path("/var/lib/meldhouse-" + hashlib.sha256(os.fsencode(state_home)).hexdigest()[:12])


def expectation(field: str, annotated: Any) -> str:
    """What a setting accepts, as the end of a sentence that begins with "must be"."""
    if field in URL_SCHEMES:
        return "an address that begins with " + " or ".join(f"{scheme}://" for scheme in URL_SCHEMES[field])
    if field in SECRETS:
        return f"some text of at least {SECRET_LENGTH_MIN} characters"
    plain, meta = _plain(annotated), _meta(annotated)
    if get_origin(plain) is Literal:
        return "one of " + ", ".join(get_args(plain))
    if plain is Path:
        return "an absolute path"
    if plain is str:
        return "some text"
    least = meta.ge if meta.ge is not None else meta.gt
    words = "a whole number" if plain is int else "a number"
    if least is not None:
        words += f" of at least {least}" if meta.ge is not None else f" above {least}"
    return words if meta.le is None else f"{words}{' and' if least is not None else ' of'} at most {meta.le}"


def _convert(text: str, field: str, annotated: Any) -> Any:
    if field in URL_SCHEMES:
        if urlsplit(text).scheme not in URL_SCHEMES[field]:
            raise ValueError(field)
        return text
    if field in SECRETS and len(text) < SECRET_LENGTH_MIN:
        raise ValueError(field)
    if _plain(annotated) is Path:
        path = Path(text).expanduser()
        if not path.is_absolute():
            raise ValueError(field)
        return path
    return msgspec.convert(text, annotated, strict=False)


def _contradictions(values: Mapping[str, Any]) -> Iterator[str]:
    """Settings that pass their own checks but not together."""
    found = {field.name: field.default for field in msgspec.structs.fields(Settings)} | dict(values)
    named = {name: f"{variable(name)} ({value})" for name, value in found.items()}
    if found["move_seconds_min"] > found["move_seconds_max"]:
        yield f"{named['move_seconds_min']} must not be above {named['move_seconds_max']}"
    needed = found["workers"] * (found["database_connections_max"] + 1)
    if found["database_url"] is None and needed > EMBEDDED_CONNECTIONS_MAX:
        yield (
            f"{named['workers']}, each with {named['database_connections_max']} connections and one more, must not "
            f"need more than the {EMBEDDED_CONNECTIONS_MAX} of the embedded Postgres; {variable('database_url')} names "
            "another one"
        )


def _default_text(field: str, default: Any) -> str:
    if field == "state_dir":
        return "/var/lib/meldhouse for root, else $XDG_STATE_HOME/meldhouse"
    return "unset" if default is None or default is NODEFAULT else str(default)


def _meta(annotated: Any) -> Meta:
    return next((part for part in get_args(annotated)[1:] if isinstance(part, Meta)), Meta())


def _plain(annotated: Any) -> Any:
    """The bare type of a setting, without its check and without None."""
    inner = get_args(annotated)[0] if get_origin(annotated) is Annotated else annotated
    if get_origin(inner) in {Union, types.UnionType}:
        return next(part for part in get_args(inner) if part is not type(None))
    return inner
