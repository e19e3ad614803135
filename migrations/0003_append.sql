-- The append: a batch of commands in one call, one transaction and one fsync
-- depends: 0002_service_tables

-- migrate: apply

-- Appends the events of many commands, at most one command for each stream, and does the side writes of those that
-- are accepted. The caller runs it as a statement of its own, so one call is one transaction.
--
-- A parameter is one column of the batch, packed: texts are parted by newlines and numbers by commas, because a driver
-- encodes one long value much faster than an array. A row is one event, numbered from 1 in the order of the commands.
--   p_shards      the shards touched, ascending
--   p_slots       by row: place of its shard in p_shards
--   p_leaders     by row: the row of the first event of its command
--   p_lasts       by row: the version of the last event of its command
--   p_keys        by row: the command's key, empty for none
--   p_hashes      by row: 32 bytes each of prev_hash, hash and the digest of the command's request
--   p_starts, p_sizes, p_answers   by row: where its body starts in p_bodies, its length, and the length of the
--                 command's answer, which follows the body (-1 for none)
--   p_touches     jsonb list of {row, status, turn, finished_at}: the running state of a game, or null
--   p_writes      jsonb object of lists of rows for the rarer side writes, each with the `row` of its command, or null
--
-- Gives a row for each command that was NOT appended, by the row of its first event: `replayed` (the key, or the very
-- events, are there already: with the first answer), `key_conflict` (the key came with another request),
-- `version_conflict`, `hash_conflict` (the version is right, but the hash is not that of the stored head).
create function append_batch(
    p_shards text, p_slots text, p_streams text, p_versions text, p_types text, p_actors text, p_leaders text,
    p_lasts text, p_keys text, p_hashes bytea, p_starts text, p_sizes text, p_answers text, p_bodies bytea,
    p_touches jsonb, p_writes jsonb
) returns table (leader integer, outcome text, first_version integer, last_version integer, answer bytea)
language plpgsql
-- A plan cached while the tables were still empty must not walk the whole log later on.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    shards constant smallint[] := string_to_array(p_shards, ',');
    slots constant smallint[] := string_to_array(p_slots, ',');
    streams constant text[] := string_to_array(p_streams, e'\n');
    versions constant integer[] := string_to_array(p_versions, ',');
    types constant text[] := string_to_array(p_types, e'\n');
    actors constant text[] := string_to_array(p_actors, e'\n');
    leaders constant integer[] := string_to_array(p_leaders, ',');
    lasts constant integer[] := string_to_array(p_lasts, ',');
    keys constant text[] := string_to_array(p_keys, e'\n', '');
    starts constant integer[] := string_to_array(p_starts, ',');
    sizes constant integer[] := string_to_array(p_sizes, ',');
    answers constant integer[] := string_to_array(p_answers, ',');
    heads bigint[];
    accepted boolean[];
    nths bigint[];
    counts bigint[];
begin
    -- An acknowledged move is on disk, whatever the session or the database was told.
    if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
    end if;

    -- Locked in ascending order, so that two batches never wait for each other. What follows are statements of their
    -- own with a newer snapshot: they see everything that was committed under these locks before.
    select array_agg(s.head order by s.shard)
    into heads
    from (select shard, head from shard where shard = any (shards) order by shard for update) s;

    select array_agg(
        k.version is null and case
            when versions[r] = 1
                then h.version is null and sha256(convert_to(streams[r], 'UTF8')) = substr(p_hashes, 96 * r - 95, 32)
            else coalesce(h.version = versions[r] - 1 and h.hash = substr(p_hashes, 96 * r - 95, 32), false)
        end
        order by r
    )
    into accepted
    from generate_subscripts(leaders, 1) r
    left join lateral (
        select version, hash from event
        where stream = streams[r] and version >= versions[r] - 1 and leaders[r] = r
        order by version desc limit 1
    ) h on true
    left join lateral (
        select version from event
        where stream = streams[r] and command_key = keys[r] and actor = actors[r] and leaders[r] = r
        limit 1
    ) k on true;

    -- Positions count the accepted rows of each shard only, so there are no gaps.
    select array_agg(n.nth order by n.r)
    into nths
    from (
        select r, count(*) filter (where accepted[leaders[r]]) over (partition by slots[r] order by r) as nth
        from generate_subscripts(leaders, 1) r
    ) n;

    insert into event (
        stream, version, shard, position, type, body, prev_hash, hash, actor,
        command_key, command_digest, command_last, answer
    )
    select streams[r], versions[r], shards[slots[r]], heads[slots[r]] + nths[r], types[r],
        substr(p_bodies, starts[r], sizes[r]), substr(p_hashes, 96 * r - 95, 32), substr(p_hashes, 96 * r - 63, 32),
        actors[r],
        case when leaders[r] = r then keys[r] end,
        case when leaders[r] = r and keys[r] is not null then substr(p_hashes, 96 * r - 31, 32) end,
        case when leaders[r] = r then lasts[r] end,
        case when answers[r] >= 0 then substr(p_bodies, starts[r] + sizes[r], answers[r]) end
    from generate_subscripts(leaders, 1) r
    where accepted[leaders[r]];

    update shard set head = head + n.events
    from (
        select shards[slots[r]] as shard, count(*) as events
        from generate_subscripts(leaders, 1) r where accepted[leaders[r]] group by 1
    ) n
    where shard.shard = n.shard;

    if p_touches is not null then
        update game
        set version = lasts[t.row], status = t.status, turn = t.turn, finished_at = t.finished_at
        from jsonb_to_recordset(p_touches) as t (row integer, status text, turn smallint, finished_at timestamptz)
        where game.id = streams[t.row] and accepted[t.row];
    end if;
    if p_writes is not null then
        perform write_beside(p_writes, streams, lasts, accepted);
    end if;

    if true = all (accepted) then
        return;
    end if;
    return query
    select r,
        case
            when k.version is not null and k.command_digest <> substr(p_hashes, 96 * r - 31, 32) then 'key_conflict'
            when k.version is not null or m.version is not null then 'replayed'
            when coalesce(h.version, 0) = versions[r] - 1 then 'hash_conflict'
            else 'version_conflict'
        end,
        coalesce(k.version, versions[r]),
        coalesce(k.command_last, m.version, h.version, 0),
        case when k.version is not null then k.answer else m.answer end
    from generate_subscripts(leaders, 1) r
    left join lateral (
        select version from event where stream = streams[r] order by version desc limit 1
    ) h on true
    left join lateral (
        select version, command_digest, command_last, answer from event
        where stream = streams[r] and command_key = keys[r] and actor = actors[r]
        limit 1
    ) k on true
    -- The very same events are there: a command without a key, sent again after the answer to it was lost.
    left join lateral (
        select l.version, f.answer
        from generate_subscripts(leaders, 1) e
        join event l on l.stream = streams[r] and l.version = versions[e] and l.hash = substr(p_hashes, 96 * e - 63, 32)
        join event f on f.stream = streams[r] and f.version = versions[r]
        where leaders[e] = r and versions[e] = lasts[r]
    ) m on true
    where leaders[r] = r and accepted[r] is not true;
end
$$;

-- The rarer side writes of a batch, each for the stream of its command.
create function write_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    if p_writes ? 'games' then
        insert into game (
            id, share_code, visibility, status, ruleset, players, practice, created_by, created_at, version, turn
        )
        select streams[w.row], w.share_code, w.visibility, w.status, w.ruleset, w.players, w.practice, w.created_by,
            w.created_at, lasts[w.row], w.turn
        from jsonb_to_recordset(p_writes -> 'games') as w (
            row integer, share_code text, visibility text, status text, ruleset text, players smallint, practice boolean,
            created_by text, created_at timestamptz, turn smallint
        )
        where accepted[w.row];
    end if;
    if p_writes ? 'seats' then
        insert into seat (game, seat, kind, player, level)
        select streams[w.row], w.seat, w.kind, w.player, w.level
        from jsonb_to_recordset(p_writes -> 'seats') as w (row integer, seat smallint, kind text, player text, level text)
        where accepted[w.row]
        on conflict (game, seat) do update set kind = excluded.kind, player = excluded.player, level = excluded.level;
    end if;
    if p_writes ? 'dropped_secrets' then
        delete from secret
        using jsonb_to_recordset(p_writes -> 'dropped_secrets') as w (row integer)
        where secret.game = streams[w.row] and accepted[w.row];
    end if;
    if p_writes ? 'secrets' then
        insert into secret (game, master)
        select streams[w.row], decode(w.master, 'hex')
        from jsonb_to_recordset(p_writes -> 'secrets') as w (row integer, master text)
        where accepted[w.row];
    end if;
    if p_writes ? 'dropped_deadlines' then
        delete from deadline
        using jsonb_to_recordset(p_writes -> 'dropped_deadlines') as w (row integer, kind text)
        where deadline.game = streams[w.row] and deadline.kind = w.kind and accepted[w.row];
    end if;
    if p_writes ? 'deadlines' then
        insert into deadline (game, kind, version, due_at)
        select streams[w.row], w.kind, lasts[w.row], w.due_at
        from jsonb_to_recordset(p_writes -> 'deadlines') as w (row integer, kind text, due_at timestamptz)
        where accepted[w.row]
        on conflict (game, kind) do update
        set version = excluded.version, due_at = excluded.due_at, leased_until = null;
    end if;
end
$$;

-- migrate: rollback

-- Forward only.
