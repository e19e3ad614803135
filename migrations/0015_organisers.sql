-- A tournament may be handed over to another organiser
-- depends: 0014_ratings

-- migrate: apply

-- The function of 0012, whose organiser was never another one.
create or replace function write_tournaments_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[])
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
    set organiser = excluded.organiser, status = excluded.status, shown = excluded.shown, title = excluded.title,
        ruleset = excluded.ruleset, players = excluded.players, entrants = excluded.entrants,
        entered = excluded.entered, round = excluded.round, version = excluded.version,
        starts_at = excluded.starts_at, finished_at = excluded.finished_at;
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

-- migrate: rollback

-- Forward only.
