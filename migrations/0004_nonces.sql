-- Commitments to nonces that players bring to a table, and how often they failed to reveal them
-- depends: 0003_append

-- migrate: apply

-- What a player has committed to for a game, until the table is closed and the commitment stands in an event.
create table nonce (
    game text collate "C" not null check (octet_length(game) between 1 and 64),
    player text collate "C" not null references player,
    commitment text collate "C" check (commitment ~ '^[0-9a-f]{64}$'),
    failures integer not null default 0,
    primary key (game, player)
);

create index nonce_failures on nonce (player) where failures > 0;

-- migrate: rollback

-- Forward only.
