-- Which games were left by which, so that a game's forks can be listed; what is needed to look back at a long game
-- depends: 0010_seals_and_erasure

-- migrate: apply

create table fork (
    game text collate "C" primary key references game,
    origin text collate "C" not null,
    n integer not null check (n > 0)
);

create index fork_of_origin on fork (origin);

-- The few events that are no matter of one hand: the state after any event follows from them and from one hand.
create index event_of_table on event (stream, version) where type <> all (
    '{dealt,hand_ended,drew,took_pile,took_upcard,melded,laid_red_three,asked,answered,discarded,passed,stood_in}'
);

-- The games that forks were left from, each for the stream of its command.
create function write_forks_beside(p_writes jsonb, streams text[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    insert into fork (game, origin, n)
    select streams[w.row], w.origin, w.n
    from jsonb_to_recordset(p_writes -> 'forks') as w (row integer, origin text, n integer)
    where accepted[w.row];
end
$$;

-- The rarer side writes of a batch, each for the stream of its command: those of before, and those of 0009 to 0011.
create or replace function write_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    perform write_game_beside(p_writes, streams, lasts, accepted);
    if p_writes ?| array['dropped_nonces', 'settled_nonces', 'failed_nonces', 'nonces'] then
        perform write_nonces_beside(p_writes, streams, accepted);
    end if;
    if p_writes ? 'beacons' then
        perform write_beacons_beside(p_writes, streams, accepted);
    end if;
    if p_writes ?| array['seals', 'awaited_seals'] then
        perform write_seals_beside(p_writes, streams, lasts, accepted);
    end if;
    if p_writes ? 'forks' then
        perform write_forks_beside(p_writes, streams, accepted);
    end if;
end
$$;

-- migrate: rollback

-- Forward only.
