-- Commitments to nonces are written with the seats that they belong to
-- depends: 0004_nonces

-- migrate: apply

alter function write_beside(jsonb, text[], integer[], boolean[]) rename to write_game_beside;

-- What players committed to, each for the stream of its command; what is dropped is dropped first.
create function write_nonces_beside(p_writes jsonb, streams text[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    if p_writes ? 'dropped_nonces' then
        update nonce set commitment = null
        from jsonb_to_recordset(p_writes -> 'dropped_nonces') as w (row integer, player text)
        where nonce.game = streams[w.row] and nonce.player = w.player and accepted[w.row];
    end if;
    if p_writes ? 'settled_nonces' then
        update nonce set commitment = null
        from jsonb_to_recordset(p_writes -> 'settled_nonces') as w (row integer)
        where nonce.game = streams[w.row] and nonce.commitment is not null and accepted[w.row];
    end if;
    if p_writes ? 'failed_nonces' then
        update nonce set failures = failures + 1
        from jsonb_to_recordset(p_writes -> 'failed_nonces') as w (row integer, player text)
        where nonce.game = streams[w.row] and nonce.player = w.player and accepted[w.row];
    end if;
    if p_writes ? 'nonces' then
        insert into nonce (game, player, commitment)
        select streams[w.row], w.player, w.commitment
        from jsonb_to_recordset(p_writes -> 'nonces') as w (row integer, player text, commitment text)
        where accepted[w.row]
        on conflict (game, player) do update set commitment = excluded.commitment;
    end if;
end
$$;

-- The rarer side writes of a batch, each for the stream of its command.
create function write_beside(p_writes jsonb, streams text[], lasts integer[], accepted boolean[]) returns void
language plpgsql
as $$
begin
    perform write_game_beside(p_writes, streams, lasts, accepted);
    if p_writes ?| array['dropped_nonces', 'settled_nonces', 'failed_nonces', 'nonces'] then
        perform write_nonces_beside(p_writes, streams, accepted);
    end if;
end
$$;

-- migrate: rollback

-- Forward only.
