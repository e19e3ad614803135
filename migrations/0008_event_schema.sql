-- The schema of each event's body, so that later programs know how to read it
-- depends: 0007_checkpoints

-- migrate: apply

-- Everything stored so far is of schema 1; as a constant it is noted once for all rows, and none is written anew.
alter table event add column schema smallint not null default 1;

-- A program says with its connection which schema it writes (`domain.upcasting`); one from before there were several
-- says nothing, and writes schema 1. The number stands beside the body, whose bytes alone the hash covers.
alter table event alter column schema
    set default coalesce(nullif(current_setting('meldhouse.event_schema', true), ''), '1')::smallint;

-- migrate: rollback

-- Forward only.
