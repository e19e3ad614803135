-- Games of tournaments, and the boards that are dealt at many tables alike
-- depends: 0011_forks

-- migrate: apply

-- A tournament is a stream of events; what lists and others have to know of it without them stands here. `title` is the
-- id of its text. The ratings know every event up to `rated_version`.
create table tournament (
    id text collate "C" primary key check (octet_length(id) between 1 and 64),
    organiser text collate "C" not null,
    status text collate "C" not null default 'announced',
    shown text collate "C" not null default 'unlisted',
    title text collate "C" not null default '',
    ruleset text collate "C" not null default '',
    players smallint not null default 0,
    entrants text collate "C" not null default '',
    entered integer not null default 0,
    round integer not null default 0,
    version integer not null default 0,
    rated_version integer not null default 0,
    created_at timestamptz not null default now(),
    starts_at timestamptz,
    finished_at timestamptz
) with (fillfactor = 70);

create index tournament_public on tournament (created_at desc, id desc) where shown = 'public';

create index tournament_public_by_status on tournament (status, created_at desc, id desc) where shown = 'public';

create index tournament_of_organiser on tournament (organiser, created_at desc, id desc);

create index tournament_under_way on tournament (id) where status not in ('finished', 'cancelled');

-- Who stands in a line-up of the tournament, by the entrant.
create table tournament_player (
    tournament text collate "C" not null references tournament,
    player text collate "C" not null,
    entrant text collate "C" not null,
    primary key (tournament, player)
);

create index tournament_of_player on tournament_player (player, tournament);

-- Texts that events name by their digest, the SHA-256 of key and body: a body may be erased, and nothing can be guessed
-- from the digest then, since the key goes with it. `author` is who wrote it: the names that a person gave entrants go
-- with the person, everything else belongs to the tournament.
create table tournament_text (
    tournament text collate "C" not null,
    id text collate "C" not null check (octet_length(id) between 1 and 64),
    kind text collate "C" not null,
    author text collate "C" not null,
    key bytea check (octet_length(key) = 32),
    body text check ((body is null) = (key is null)),
    primary key (tournament, id)
);

create index tournament_name_of_author on tournament_text (author) where kind = 'name' and body is not null;

-- How far a consumer has read the feed, by shard.
create table feed_cursor (
    consumer text collate "C" not null,
    shard smallint not null references shard,
    position bigint not null check (position >= 0),
    primary key (consumer, shard)
);

-- No game that has ended so far is one of a tournament.
insert into feed_cursor (consumer, shard, position) select 'tournaments', shard, head from shard;

-- The place of a game in its tournament: `leg` is its number among the games that the match has at this table. From
-- `no_new_hand_at` on no further hand of it is dealt. `told` is what the tournament's events have told of its end:
-- nothing, that it is there (on boards that others still play), or its result.
create table tournament_game (
    game text collate "C" primary key references game,
    tournament text collate "C" not null,
    match text collate "C" not null,
    round integer not null check (round > 0),
    table_number integer not null check (table_number > 0),
    leg integer not null check (leg > 0),
    on_boards boolean not null,
    no_new_hand_at timestamptz,
    told text collate "C" not null default 'nothing' check (told in ('nothing', 'finish', 'result'))
);

create index tournament_game_of_tournament on tournament_game (tournament, round, table_number, leg);

create index tournament_game_untold on tournament_game (tournament) where told <> 'result';

-- The ends of hands are the only events of them that a result needs.
create index event_of_hand_end on event (stream, version) where type = 'hand_ended';

-- The boards of a tournament. Their one master is kept in `secret` under the tournament's id and opens all of them, so
-- no game on them is revealed before `opened_at` is set: when none of the boards is still to be played anywhere.
create table board_set (
    tournament text collate "C" primary key,
    commitment text collate "C" not null check (commitment ~ '^[0-9a-f]{64}$'),
    boards integer not null check (boards > 0),
    committed_at timestamptz not null,
    opened_at timestamptz
);

-- Whether a game is on boards that are still closed: then nothing of it is revealed, whatever becomes of its seal.
create function has_closed_boards(p_game text) returns boolean
language sql stable
as $$
    select exists (
        select from tournament_game t left join board_set b on b.tournament = t.tournament
        where t.game = p_game and t.on_boards and b.opened_at is null
    )
$$;

-- Seals, each for the stream of its command. The row of a game that has ended was locked before, so that the end of its
-- seal is the one that stands now: whoever moves it locks the same row, and finds the timer that is set here. That of a
-- game on closed boards stands at the end of time, until the boards are opened.
create or replace function write_seals_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[])
returns void
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
        select game.id, 'seal', lasts[w.row], case
            when has_closed_boards(game.id) then '9999-12-31T00:00:00Z'
            else coalesce(game.sealed_until, now())
        end
        from jsonb_to_recordset(p_writes -> 'awaited_seals') as w (row integer)
        join game on game.id = streams[w.row]
        where accepted[w.row]
        on conflict (game, kind) do update
        set version = excluded.version, due_at = excluded.due_at, leased_until = null;
    end if;
end
$$;

-- The places of new games in their tournaments, each for the stream of its command.
create function write_match_games_beside(p_writes jsonb, streams text[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    insert into tournament_game (game, tournament, match, round, table_number, leg, on_boards, no_new_hand_at)
    select streams[w.row], w.tournament, w.match, w.round, w.table_number, w.leg, w.on_boards, w.no_new_hand_at
    from jsonb_to_recordset(p_writes -> 'match_games') as w (
        row integer, tournament text, match text, round integer, table_number integer, leg integer, on_boards boolean,
        no_new_hand_at timestamptz
    )
    where accepted[w.row];
end
$$;

-- What is kept beside the events of a tournament, each for the stream of its command.
create function write_tournaments_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[])
returns void
language plpgsql
as $$
begin
    insert into tournament (
        id, organiser, status, shown, title, ruleset, players, entrants, entered, round, version, created_at, starts_at,
        finished_at
    )
    select streams[w.row], w.organiser, w.status, w.shown, w.title, w.ruleset, w.players, w.entrants, w.entered, w.round,
        lasts[w.row], w.created_at, w.starts_at, w.finished_at
    from jsonb_to_recordset(p_writes -> 'tournaments') as w (
        row integer, organiser text, status text, shown text, title text, ruleset text, players smallint, entrants text,
        entered integer, round integer, created_at timestamptz, starts_at timestamptz, finished_at timestamptz
    )
    where accepted[w.row]
    on conflict (id) do update
    set status = excluded.status, shown = excluded.shown, title = excluded.title, ruleset = excluded.ruleset,
        players = excluded.players, entrants = excluded.entrants, entered = excluded.entered, round = excluded.round,
        version = excluded.version, starts_at = excluded.starts_at, finished_at = excluded.finished_at;
    if p_writes ? 'dropped_tournament_players' then
        delete from tournament_player
        using jsonb_to_recordset(p_writes -> 'dropped_tournament_players') as w (row integer, player text)
        where tournament = streams[w.row] and tournament_player.player = w.player and accepted[w.row];
    end if;
    if p_writes ? 'tournament_players' then
        insert into tournament_player (tournament, player, entrant)
        select streams[w.row], w.player, w.entrant
        from jsonb_to_recordset(p_writes -> 'tournament_players') as w (row integer, player text, entrant text)
        where accepted[w.row]
        on conflict (tournament, player) do update set entrant = excluded.entrant;
    end if;
    if p_writes ? 'tournament_texts' then
        insert into tournament_text (tournament, id, kind, author, key, body)
        select streams[w.row], w.id, w.kind, w.author, decode(w.key, 'hex'), w.body
        from jsonb_to_recordset(p_writes -> 'tournament_texts') as w (
            row integer, id text, kind text, author text, key text, body text
        )
        where accepted[w.row]
        on conflict do nothing;
    end if;
    if p_writes ? 'board_sets' then
        insert into board_set (tournament, commitment, boards, committed_at)
        select streams[w.row], w.commitment, w.boards, now()
        from jsonb_to_recordset(p_writes -> 'board_sets') as w (row integer, commitment text, boards integer)
        where accepted[w.row]
        on conflict do nothing;
    end if;
    if p_writes ? 'told_games' then
        update tournament_game
        set told = w.told
        from jsonb_to_recordset(p_writes -> 'told_games') as w (row integer, game text, told text)
        where tournament_game.game = w.game and tournament_game.tournament = streams[w.row] and accepted[w.row];
    end if;
end
$$;

-- The rarer side writes of a batch, each for the stream of its command: those of before, and those of 0009 to 0012.
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
    if p_writes ? 'tournaments' then
        perform write_tournaments_beside(p_writes, streams, lasts, accepted);
    end if;
    if p_writes ? 'match_games' then
        perform write_match_games_beside(p_writes, streams, accepted);
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
