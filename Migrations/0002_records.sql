-- What belongs to a session and is seldom written, and what is remembered beside the sessions.

-- A session's other values, numbered session << 8 | kind:
-- 1 userInfo (CBOR), 2 title (UTF-8), 3 placement (CBOR), 4 presented value (CBOR).
CREATE TABLE session_value (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    content_hash INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;

-- Scene storage: values by key (CBOR), for each session its own.
CREATE TABLE scene_storage (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    session_id INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    content_hash INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX scene_storage_key ON scene_storage (session_id, key);

-- Tombstones: which sessions are gone for good, why, and whether the app was told. They outlive
-- the session's own row, so that salvage brings nothing back.
CREATE TABLE discard (
    -- The session's number; no foreign key, for the session's row may be pruned.
    id INTEGER PRIMARY KEY CHECK (id > 0),
    epoch INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    configuration_id INTEGER NOT NULL REFERENCES configuration (id) ON DELETE RESTRICT,
    cause TEXT NOT NULL CHECK (cause IN ('user', 'app', 'cannot-display', 'expired', 'reset')),
    -- 0 not told, 1 being told, 2 told.
    delivery INTEGER NOT NULL CHECK (delivery BETWEEN 0 AND 2),
    -- The launch that was being told, 0 none.
    offered_launch INTEGER NOT NULL CHECK (offered_launch >= 0),
    discarded_at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE INDEX discard_pending ON discard (epoch, generation) WHERE delivery < 2;

CREATE INDEX discard_generation ON discard (epoch, generation);

-- The launches, with the ledger of what became of the sessions that each expected.
CREATE TABLE launch (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    epoch INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('first', 'launch', 'recover', 'restore')),
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    ended_how TEXT CHECK (ended_how IN ('quit', 'force-quit', 'died')),
    context_id INTEGER NOT NULL,
    boot_identifier TEXT NOT NULL,
    process_identifier INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    expected INTEGER NOT NULL CHECK (expected >= 0),
    restored INTEGER NOT NULL CHECK (restored >= 0),
    held INTEGER NOT NULL CHECK (held >= 0),
    withheld INTEGER NOT NULL CHECK (withheld >= 0),
    lost INTEGER NOT NULL CHECK (lost >= 0),
    discarded INTEGER NOT NULL CHECK (discarded >= 0),
    evicted INTEGER NOT NULL CHECK (evicted >= 0),
    declined INTEGER NOT NULL CHECK (declined >= 0),
    checksum INTEGER NOT NULL
) STRICT;

-- Of the ledger the exceptions only: every session that was not restored, and why.
CREATE TABLE launch_exception (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    launch INTEGER NOT NULL REFERENCES launch (number) ON DELETE CASCADE,
    session_identifier TEXT NOT NULL,
    outcome TEXT NOT NULL
        CHECK (outcome IN ('held', 'withheld', 'lost', 'discarded', 'evicted', 'declined')),
    reason TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE INDEX launch_exception_launch ON launch_exception (launch);

-- The journal of everything but saves (a save's entry is its row of `state`): a ring whose rows
-- are numbered 1 to its capacity and written over in turn.
CREATE TABLE event (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    epoch INTEGER NOT NULL,
    serial INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    launch INTEGER NOT NULL,
    happened_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session_identifier TEXT,
    detail TEXT,
    checksum INTEGER NOT NULL
) STRICT;

-- Payloads that wait until the app acknowledges them (CBOR).
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    epoch INTEGER NOT NULL,
    session_identifier TEXT,
    dedupe_key TEXT,
    -- 0 waiting, 1 acknowledged: the payload is empty and the row stays for its key.
    is_done INTEGER NOT NULL CHECK (is_done IN (0, 1)),
    -- The first launch that was offered it, 0 none, and how often it was.
    offered_launch INTEGER NOT NULL CHECK (offered_launch >= 0),
    offered_count INTEGER NOT NULL CHECK (offered_count >= 0),
    received_launch INTEGER NOT NULL CHECK (received_launch >= 0),
    received_at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    content_hash INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;

CREATE INDEX inbox_dedupe_key ON inbox (epoch, dedupe_key) WHERE dedupe_key IS NOT NULL;

CREATE INDEX inbox_waiting ON inbox (epoch) WHERE is_done = 0;

-- Activities that the app saved to be found again, whatever becomes of the sessions (CBOR).
CREATE TABLE saved_activity (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    epoch INTEGER NOT NULL,
    persistent_identifier TEXT,
    activity_type TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    content_hash INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;

CREATE INDEX saved_activity_identifier ON saved_activity (epoch, persistent_identifier);

-- Rows whose checksum failed, as they were found: set aside, never deleted.
CREATE TABLE quarantined_row (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    epoch INTEGER NOT NULL,
    table_name TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    reason TEXT NOT NULL,
    found_at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    content_hash INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    -- The columns in their order, as a CBOR array.
    payload BLOB NOT NULL
) STRICT;

PRAGMA user_version = 2;
