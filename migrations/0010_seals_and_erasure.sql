-- Games that are sealed for a while, and people who are forgotten
-- depends: 0009_beacons_and_counters

-- migrate: apply

-- Until when a game shows nothing but its status to anybody but its own seats; null for one that was never sealed. A
-- seal without an end of its own stands at the end of the year 9999, until it is moved.
alter table game add column sealed_until timestamptz;

-- When the name changed or the person was forgotten: workers look for what is new here, and drop it from their memory.
-- `leaving` is set from the erasure until the person's seats have been left.
alter table player add column changed_at timestamptz, add column leaving boolean not null default false;

create index player_changed on player (changed_at) where changed_at is not null;

create index player_leaving on player (id) where leaving;

-- The claim that made a player holds their id; who is forgotten takes it along.
create index claim_of_birth on claim ((substring(encode(value, 'escape') from '"player":"([^"]+)"')))
    where scope = 'createPlayer';

create index claim_of_actor on claim (actor);

-- What was overwritten or deleted here was a person's: it is cleared away soon, however large the table.
alter table player set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);

alter table token set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);

alter table claim set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);

-- Seals, each for the stream of its command (`write_beside` calls it from 0011 on). The row of a game that has ended was
-- locked before, so that the end of its seal is the one that stands now: whoever moves it locks the same row, and finds
-- the timer that is set here.
create function write_seals_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    if p_writes ? 'seals' then
        update game set sealed_until = w.until
        from jsonb_to_recordset(p_writes -> 'seals') as w (row integer, until timestamptz)
        where game.id = streams[w.row] and accepted[w.row];
    end if;
    if p_writes ? 'awaited_seals' then
        insert into deadline (game, kind, version, due_at)
        select game.id, 'seal', lasts[w.row], coalesce(game.sealed_until, now())
        from jsonb_to_recordset(p_writes -> 'awaited_seals') as w (row integer)
        join game on game.id = streams[w.row]
        where accepted[w.row]
        on conflict (game, kind) do update
        set version = excluded.version, due_at = excluded.due_at, leased_until = null;
    end if;
end
$$;

-- migrate: rollback

-- Forward only.
