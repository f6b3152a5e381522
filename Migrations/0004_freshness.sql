-- A session binds its current state: a page of states that went back to an older version, whose rows
-- bear their checksums, is noticed when the state is read.

-- The checksum of the row that state_id names; NULL in rows that earlier versions wrote, where it
-- adds nothing to the row's own checksum.
ALTER TABLE session ADD COLUMN state_checksum INTEGER;

PRAGMA user_version = 4;
