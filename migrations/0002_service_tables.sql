-- Players and tokens, games and seats, dealing secrets, deadlines and first answers
-- depends: 0001_event_log

-- migrate: apply

-- The person behind an id. Events name only the id, so erasing the name here erases the person.
create table player (
    id text collate "C" primary key check (octet_length(id) between 1 and 64),
    name text check (length(name) between 1 and 100),
    kind text collate "C" not null check (kind in ('guest', 'human', 'bot')),
    created_at timestamptz not null,
    erased_at timestamptz check (erased_at is null or name is null)
);

-- Bearer tokens, known by the SHA-256 of their secret only. `game`, `seat` and `tournament` narrow what they may do.
create table token (
    hash bytea primary key check (octet_length(hash) = 32),
    id text collate "C" not null unique,
    player text collate "C" not null references player,
    name text check (length(name) <= 100),
    scopes text[] not null,
    game text collate "C",
    seat smallint,
    tournament text collate "C",
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz
);

create index token_of_player on token (player, created_at desc, id desc);

-- What lists and joining need to know of a game; the truth is its events. The low fill factor lets the update that
-- comes with a turn stay inside the page.
create table game (
    id text collate "C" primary key check (octet_length(id) between 1 and 64),
    share_code text collate "C" not null unique,
    visibility text collate "C" not null,
    status text collate "C" not null,
    ruleset text collate "C" not null,
    players smallint not null,
    practice boolean not null,
    created_by text collate "C" not null,
    created_at timestamptz not null,
    version integer not null,
    turn smallint,
    finished_at timestamptz
) with (fillfactor = 70);

create index game_by_age on game (created_at desc, id desc);

create index game_by_status on game (status, created_at desc, id desc);

create index game_of_creator on game (created_by, created_at desc, id desc);

create table seat (
    game text collate "C" not null references game,
    seat smallint not null check (seat >= 0),
    kind text collate "C" not null,
    player text collate "C",
    level text collate "C",
    primary key (game, seat)
);

create index seat_of_player on seat (player, game) where player is not null;

-- The master seed of a game's deals, from creation until it is revealed in the last event.
create table secret (
    game text collate "C" primary key,
    master bytea not null
);

-- Durable timers with absolute times. A worker claims one for a lease; if it dies, the lease runs out and another
-- worker takes over. `version` is the version of the game that the timer belongs to.
create table deadline (
    game text collate "C" not null,
    kind text collate "C" not null,
    version integer not null,
    due_at timestamptz not null,
    leased_until timestamptz,
    primary key (game, kind)
);

create index deadline_due on deadline (due_at);

-- First answers of commands that create something and thus have no stream yet: the key is claimed with the new id
-- before anything is appended, so a repeated request goes on with the first id.
create table claim (
    scope text collate "C" not null check (octet_length(scope) between 1 and 64),
    actor text collate "C" not null check (octet_length(actor) between 1 and 64),
    command_key text collate "C" not null check (octet_length(command_key) between 1 and 255),
    command_digest bytea not null check (octet_length(command_digest) <= 64),
    value bytea not null,
    at timestamptz not null default now(),
    primary key (scope, actor, command_key)
);

-- migrate: rollback

-- Forward only.
