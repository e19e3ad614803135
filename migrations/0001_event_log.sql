-- The event log, its feed counters and the guards that keep it append-only
-- depends:

-- migrate: apply

-- One row for the whole store. The epoch changes when the log was restored or failed over with loss, so that a cursor
-- from before is told apart; the number of shards is fixed when the store is set up, because the shard of a stream
-- must never change.
create table feed (
    singleton boolean primary key default true check (singleton),
    epoch text not null check (length(epoch) between 1 and 64),
    shards smallint not null check (shards between 1 and 1024)
);

-- The counter of each shard: locked once by every batch until its commit, so positions have no gaps and stand in the
-- order of the commits. The low fill factor keeps the updates inside the page (heap-only tuples).
create table shard (
    shard smallint primary key,
    head bigint not null default 0 check (head >= 0)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- `body` is the exact canonical JSON of the event without prev and hash, so bytea: jsonb would reorder keys, drop
-- duplicates and refuse NUL. The check on `hash` makes the database itself refuse an event whose hash is wrong.
-- `at` is when the row was stored; the event's own time is in its body.
-- A command (one accepted request) leaves its key, the digest of its request, the version of its last event and what
-- was answered on its first event: they live exactly as long as the stream.
create table event (
    stream text collate "C" not null,
    version integer not null,
    shard smallint not null,
    position bigint not null,
    type text collate "C" not null,
    at timestamptz not null default now(),
    body bytea not null,
    prev_hash bytea not null,
    hash bytea not null,
    actor text collate "C" not null,
    command_key text collate "C",
    command_digest bytea,
    command_last integer,
    answer bytea,
    primary key (stream, version),
    constraint event_numbers_start_at_one check (version > 0 and position > 0),
    constraint event_hash_holds check (
        octet_length(prev_hash) = 32
        and hash = sha256(convert_to(encode(prev_hash, 'hex') || e'\n', 'UTF8') || body)
    ),
    constraint event_command_is_whole check (
        (command_key is null) = (command_digest is null) and octet_length(command_key) between 1 and 255
    )
);

create unique index event_position on event (shard, position);

create unique index event_command on event (stream, command_key, actor) where command_key is not null;

create function refuse_rewriting() returns trigger
language plpgsql as $$
begin
    raise exception '% of table % is forbidden: the event log is append-only', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
end
$$;

create trigger event_is_append_only
    before update or delete or truncate on event
    for each statement execute function refuse_rewriting();

-- Fires for replication roles too: an ordinary trigger is silent where session_replication_role is `replica`.
alter table event enable always trigger event_is_append_only;

-- migrate: rollback

-- Forward only: nothing here takes back an event log.
