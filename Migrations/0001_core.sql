-- The sessions, their states and what they share.
--
-- Every row ends its fixed part with `checksum`: XXH64 over the store's UUID, the table and all
-- other columns (a payload by its `content_hash`). Times are milliseconds since 1970, UTC.
-- `generation` is the number of the transaction that wrote the row; it orders everything.
-- An `epoch` other than store.container_epoch belongs to a container that was reset: such a row is
-- never read and goes away in idle time.
-- Rows are numbered from store.last_id and no number is used twice, so a carved row can never be
-- taken for a part of a later session.

PRAGMA application_id = 1396921157; -- "SCSE"

-- Which migrations ran, and over which text.
CREATE TABLE migration (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    text_checksum INTEGER NOT NULL,
    applied_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

-- One row. Every transaction ends by rewriting it, fenced by the owner's epoch.
CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uuid BLOB NOT NULL CHECK (length(uuid) = 16),
    -- Raised by a reset.
    container_epoch INTEGER NOT NULL CHECK (container_epoch > 0),
    -- Raised by each owner: a write under another value is refused.
    owner_epoch INTEGER NOT NULL CHECK (owner_epoch >= 0),
    generation INTEGER NOT NULL CHECK (generation >= 0),
    last_id INTEGER NOT NULL CHECK (last_id >= 0),
    -- The open sessions: how many, and the sum of their checksums modulo 2^64.
    open_count INTEGER NOT NULL CHECK (open_count >= 0),
    open_digest INTEGER NOT NULL,
    -- The sum of the checksums of all other rows of this epoch.
    row_digest INTEGER NOT NULL,
    -- How many rows the ring `event` was given so far.
    event_count INTEGER NOT NULL CHECK (event_count >= 0),
    launch_number INTEGER NOT NULL CHECK (launch_number >= 0),
    -- 0 never launched, 1 ended cleanly, 2 running or died, 3 ended by the user.
    launch_state INTEGER NOT NULL CHECK (launch_state BETWEEN 0 AND 3),
    -- The session that is being restored; it is blamed if the process dies now.
    restoring_session INTEGER,
    -- 1 while erased rows may still stand in the write-ahead log.
    erasure_pending INTEGER NOT NULL CHECK (erasure_pending IN (0, 1)),
    -- Bits set by newer versions: open all the same, open to read, do not open.
    features_ignorable INTEGER NOT NULL,
    features_read_only INTEGER NOT NULL,
    features_required INTEGER NOT NULL,
    app_identifier TEXT,
    written_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

-- Each distinct configuration once, so that an update of the app judges it once.
CREATE TABLE configuration (
    id INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    role TEXT NOT NULL,
    name TEXT,
    scene_class TEXT,
    delegate_class TEXT,
    storyboard TEXT,
    immersion_style TEXT,
    -- 0 made by the app, 1 from the manifest, 2 not found in the manifest.
    resolution INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 2),
    open_sessions INTEGER NOT NULL CHECK (open_sessions >= 0),
    checksum INTEGER NOT NULL
) STRICT;

CREATE INDEX configuration_role ON configuration (epoch, role, name);

-- Each distinct set of activation conditions once (deterministic CBOR).
CREATE TABLE conditions (
    id INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    content_hash INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;

CREATE INDEX conditions_hash ON conditions (epoch, content_hash);

-- The skeleton: what a launch needs to decide, nothing that only the app reads.
CREATE TABLE session (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    identifier TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    configuration_id INTEGER NOT NULL REFERENCES configuration (id) ON DELETE RESTRICT,
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    is_front INTEGER NOT NULL CHECK (is_front IN (0, 1)),
    -- The generation at which it became active last; 0 never.
    recency INTEGER NOT NULL,
    -- The current row of `state`. No foreign key: its action would scan this table.
    state_id INTEGER,
    -- Processes in a row that died while restoring it.
    crash_count INTEGER NOT NULL CHECK (crash_count >= 0),
    -- 1 stale, 2 held by hand, 4 not to be remembered, 8 pinned, 16 redacted, 32 ephemeral.
    flags INTEGER NOT NULL CHECK (flags >= 0),
    conditions_id INTEGER REFERENCES conditions (id) ON DELETE RESTRICT,
    -- The hash of the value that the window presents.
    value_hash INTEGER,
    created_at INTEGER NOT NULL,
    last_active_at INTEGER NOT NULL,
    saved_at INTEGER,
    generation INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX session_identifier ON session (identifier, epoch);

-- What a launch asks first, found without looking at the rest.
CREATE INDEX session_front ON session (epoch, recency) WHERE is_front = 1;

CREATE INDEX session_recency ON session (configuration_id, recency, conditions_id)
    WHERE is_open = 1;

CREATE INDEX session_conditions ON session (epoch) WHERE conditions_id IS NOT NULL;

CREATE INDEX session_value_hash ON session (epoch, value_hash) WHERE value_hash IS NOT NULL;

CREATE INDEX session_exception ON session (epoch) WHERE crash_count > 0 OR flags & 4 <> 0;

CREATE INDEX session_closed ON session (epoch) WHERE is_open = 0;

-- What a state was saved under.
CREATE TABLE save_context (
    id INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    app_version TEXT,
    system_version TEXT,
    idiom TEXT,
    checksum INTEGER NOT NULL
) STRICT;

-- The states: a ring of slots for each session, numbered session << 8 | slot. A save writes one
-- slot and points session.state_id at it; what the session pointed at before is the history.
-- No foreign key: the number says whose it is, and a cascade would need one more index.
CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    generation INTEGER NOT NULL,
    saved_at INTEGER NOT NULL,
    context_id INTEGER NOT NULL,
    activity_type TEXT NOT NULL,
    content_hash INTEGER NOT NULL,
    byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
    checksum INTEGER NOT NULL,
    -- The activity (deterministic CBOR), last, so that the columns before it are read without it.
    payload BLOB NOT NULL
) STRICT;

PRAGMA user_version = 1;
