-- Lists of public games find their page in one of these; those of a player begin with the player's games
-- depends: 0005_nonce_writes

-- migrate: apply

create index game_public on game (created_at desc, id desc) where visibility = 'public';

create index game_public_by_status on game (status, created_at desc, id desc) where visibility = 'public';

create index game_public_by_ruleset on game (ruleset, created_at desc, id desc) where visibility = 'public';

create index game_public_by_practice on game (practice, created_at desc, id desc) where visibility = 'public';

drop index game_by_age;

drop index game_by_status;

-- migrate: rollback

-- Forward only.
