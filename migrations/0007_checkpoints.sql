-- Signed checkpoints over the feed: keys, epochs of the log, checkpoints, and the nodes that proofs are made of
-- depends: 0006_game_lists

-- migrate: apply

-- Statements by which a signing key is named, in order; the newest key signs. `body` is canonical JSON, `signature` by
-- the key before it (`signer`; the first key's own), `own_signature` by the key itself. `after` is the number of the
-- last checkpoint then.
create table log_key (
    number integer primary key check (number > 0),
    key text collate "C" not null unique check (octet_length(key) = 16),
    after bigint not null check (after >= 0),
    body bytea not null,
    signer text collate "C" not null check (octet_length(signer) = 16),
    signature bytea not null check (octet_length(signature) = 64),
    own_signature bytea not null check (octet_length(own_signature) = 64)
);

-- Announcements of epochs: in each the trees begin anew over the rows as they stand. `feed_epoch` is the life of the
-- feed then, `after` and `previous` are number and digest of the last checkpoint before. Up to `suspects` (positions by
-- shard) rows are sealed as they stand, since the announcement says that something is wrong there.
create table log_epoch (
    epoch integer primary key check (epoch > 0),
    at timestamptz not null,
    feed_epoch text not null,
    after bigint not null check (after >= 0),
    previous bytea check (octet_length(previous) = 32),
    suspects bigint[] not null,
    body bytea not null,
    key text collate "C" not null references log_key (key),
    signature bytea not null check (octet_length(signature) = 64)
);

-- `sizes` is read from the body, so that the database refuses a second checkpoint of the same sizes in an epoch.
create table checkpoint (
    number bigint primary key check (number > 0),
    epoch integer not null references log_epoch,
    at timestamptz not null,
    body bytea not null,
    key text collate "C" not null references log_key (key),
    signature bytea not null check (octet_length(signature) = 64),
    sizes text collate "C" not null generated always as (encode(body, 'escape')::jsonb ->> 'sizes') stored,
    unique (epoch, sizes)
);

-- Complete subtrees of the levels 8, 16 and 24 only; what is between is folded from them or from the events.
create table merkle_node (
    epoch integer not null references log_epoch,
    shard smallint not null check (shard >= 0),
    level smallint not null check (level in (8, 16, 24)),
    index bigint not null check (index >= 0),
    hash bytea not null check (octet_length(hash) = 32),
    primary key (epoch, shard, level, index)
);

create trigger log_key_is_append_only
    before update or delete or truncate on log_key
    for each statement execute function refuse_rewriting();

alter table log_key enable always trigger log_key_is_append_only;

create trigger log_epoch_is_append_only
    before update or delete or truncate on log_epoch
    for each statement execute function refuse_rewriting();

alter table log_epoch enable always trigger log_epoch_is_append_only;

create trigger checkpoint_is_append_only
    before update or delete or truncate on checkpoint
    for each statement execute function refuse_rewriting();

alter table checkpoint enable always trigger checkpoint_is_append_only;

create trigger merkle_node_is_append_only
    before update or delete or truncate on merkle_node
    for each statement execute function refuse_rewriting();

alter table merkle_node enable always trigger merkle_node_is_append_only;

-- How far the lines have been handed to an outside witness: the last key, epoch and checkpoint that it took. Whoever
-- hands them on holds the lease; after a failure it says when to try again.
create table witness_cursor (
    witness text collate "C" primary key,
    key integer not null default 0,
    epoch integer not null default 0,
    checkpoint bigint not null default 0,
    failures integer not null default 0,
    leased_until timestamptz
);

-- migrate: rollback

-- Forward only.
