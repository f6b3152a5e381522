-- A launch's context remembers what the app declared about its windows: a tool judges the next
-- launch by it.

-- Canonical JSON, the manifest under the keys of an Info.plist; NULL while no launch declared any.
-- Rows that earlier versions wrote have none, which adds nothing to the row's own checksum.
ALTER TABLE save_context ADD COLUMN declared TEXT;

PRAGMA user_version = 6;
