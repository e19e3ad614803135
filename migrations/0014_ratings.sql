-- Ratings: results in the order in which they count, and the ratings folded from them
-- depends: 0013_tokens

-- migrate: apply

-- The models of `domain.ratings.models`, so that what numbers were made by stands beside them. A model is never
-- changed: other parameters are another model.
create table rating_model (
    id text collate "C" primary key check (octet_length(id) between 1 and 64),
    name text not null,
    version text not null,
    parameters jsonb not null
);

insert into rating_model values
    (
        'plackett-luce-1', 'OpenSkill Plackett-Luce', 'openskill 6.2',
        '{"mu": "25", "sigma": "8.333333333", "beta": "25/6", "tau": "25/300", "kappa": "0.0001", "decimals": "9"}'
    ),
    (
        'glicko-2-1', 'Glicko-2', '2022-03-22',
        '{"rating": "1500", "deviation": "350", "volatility": "0.06", "tau": "0.5", "decimals": "12"}'
    );

-- A pool has one row: locked by whoever adds a result, so that sequence numbers have no gaps. `head` is the last of
-- them; the ratings hold the results up to `folded`, but from `stale_from` on some have been superseded since;
-- `superseded` counts how often that came about.
create table rating_pool (
    id text collate "C" primary key check (octet_length(id) between 1 and 32),
    head bigint not null default 0 check (head >= 0),
    folded bigint not null default 0 check (folded >= 0),
    stale_from bigint check (stale_from > 0),
    superseded bigint not null default 0
);

-- The truth: what counted, in its order. A result that is changed later gets a row with the same number and a higher
-- revision (that of a match is the number of the tournament's event that settled it), and only the highest one counts.
-- `sides` lists by side the partnerships in it, each a list of player ids; `ranks` are by side, 1 the best.
create table rated_result (
    pool text collate "C" not null references rating_pool,
    sequence bigint not null check (sequence > 0),
    revision integer not null check (revision >= 0),
    key text collate "C" not null check (octet_length(key) between 1 and 160),
    model text collate "C" not null references rating_model,
    sides jsonb not null,
    ranks smallint[] not null check (cardinality(ranks) >= 2),
    partnerships boolean not null,
    rated boolean not null,
    public boolean not null,
    at timestamptz not null,
    primary key (pool, sequence, revision),
    unique (key, revision)
);

create trigger rated_result_is_append_only
    before update or delete or truncate on rated_result
    for each statement execute function refuse_rewriting();

alter table rated_result enable always trigger rated_result_is_append_only;

-- From here on everything can be made anew from the results. A subject is a person or a partnership. `estimate` and
-- `deviation` are mu and sigma of Plackett-Luce, rating and deviation of Glicko-2; `value` is what leaderboards are
-- ordered by; `company` are the partners of all the person's results: '' for none, '*' for different ones.
create table rating (
    pool text collate "C" not null references rating_pool,
    subject text collate "C" not null check (octet_length(subject) between 1 and 400),
    kind text collate "C" not null check (kind in ('person', 'partnership')),
    players text[] not null,
    estimate numeric(22, 12) not null,
    deviation numeric(22, 12) not null,
    volatility numeric(22, 12),
    value numeric(22, 12) not null,
    results integer not null check (results > 0),
    company text collate "C" not null,
    sequence bigint not null,
    at timestamptz not null,
    primary key (pool, subject)
);

create index rating_ladder on rating (pool, kind, value desc, subject);

create index rating_ladder_established on rating (pool, kind, value desc, subject) where results >= 20;

create index rating_of_player on rating using gin (players);

-- One row for each subject of a result. `next` is the number of the subject's next result: what a leaderboard was at a
-- number follows from it.
create table rating_change (
    pool text collate "C" not null references rating_pool,
    sequence bigint not null,
    subject text collate "C" not null,
    kind text collate "C" not null,
    players text[] not null,
    key text collate "C" not null,
    public boolean not null,
    model text collate "C" not null references rating_model,
    rank smallint not null,
    of_sides smallint not null,
    estimate_before numeric(22, 12) not null,
    deviation_before numeric(22, 12) not null,
    volatility_before numeric(22, 12),
    estimate numeric(22, 12) not null,
    deviation numeric(22, 12) not null,
    volatility numeric(22, 12),
    value numeric(22, 12) not null,
    results integer not null,
    company text collate "C" not null,
    next bigint,
    at timestamptz not null,
    primary key (pool, subject, sequence)
);

create index rating_change_in_order on rating_change (pool, sequence);

create index rating_change_outdated on rating_change (pool, kind, next) where next is not null;

-- How far the feed has been read for games that ended, by shard; and ended games whose seal is not over yet.
create table rating_cursor (
    shard smallint primary key references shard,
    position bigint not null check (position > 0)
);

create table rating_held (
    game text collate "C" primary key references game
);

create index event_of_end on event (shard, position) where type = 'game_ended';

-- migrate: rollback

-- Forward only.
