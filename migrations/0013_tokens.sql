-- Tokens that were made with another one
-- depends: 0012_tournaments

-- migrate: apply

-- The id of the token with which it was made; null for a person's first one, which speaks for them in everything.
alter table token add column maker text collate "C";

-- migrate: rollback

-- Forward only.
