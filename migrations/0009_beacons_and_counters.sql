-- Beacons: which tables use one, and the rounds that have come out; what the public counters are counted from
-- depends: 0008_event_schema

-- migrate: apply

-- The drand chain whose next round the table fixes when it is closed; null for a table without a beacon. From closing on
-- the truth is in the events.
alter table game add column beacon text collate "C" check (beacon ~ '^[0-9a-f]{64}$');

create index game_public_with_beacon on game (created_at desc, id desc)
    where visibility = 'public' and beacon is not null;

-- Rounds that games wait or waited for, their signatures verified before they came in here. What is true of a round
-- stays true, so a row is never changed.
create table beacon_round (
    chain text collate "C" not null check (chain ~ '^[0-9a-f]{64}$'),
    round bigint not null check (round > 0),
    signature bytea not null check (octet_length(signature) between 48 and 96),
    primary key (chain, round)
);

-- The public counters read these few events of each game, and no others.
create index event_of_fairness on event (type, stream)
    where type in ('closed', 'started', 'aborted', 'game_ended', 'revealed');

-- Seats that a timer freed: their nonces were not revealed in time. Nothing else frees a seat by a timer.
create index event_of_unrevealed_nonce on event (stream) where type = 'unseated' and actor = 'timer';

-- The beacons that tables wish for, each for the stream of its command. `write_beside` calls it from 0011 on.
create function write_beacons_beside(p_writes jsonb, streams text[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    update game set beacon = w.chain
    from jsonb_to_recordset(p_writes -> 'beacons') as w (row integer, chain text)
    where game.id = streams[w.row] and accepted[w.row];
end
$$;

-- Tables that never start end by a timer; those opened before there was one get a week from now.
insert into deadline (game, kind, version, due_at)
select id, 'unstarted', version, now() + interval '7 days' from game where status in ('open', 'closed')
on conflict do nothing;

-- migrate: rollback

-- Forward only.
