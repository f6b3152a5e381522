-- The store: sessions, their states and what belongs to them; the launches; what waits for the app.
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
    -- Its configuration is gone.
    is_stale INTEGER NOT NULL CHECK (is_stale IN (0, 1)),
    -- Held by hand.
    is_held INTEGER NOT NULL CHECK (is_held IN (0, 1)),
    is_remembered INTEGER NOT NULL CHECK (is_remembered IN (0, 1)),
    is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
    -- 0 standard, 1 redacted, 2 ephemeral.
    privacy INTEGER NOT NULL CHECK (privacy BETWEEN 0 AND 2),
    -- The current state is kept from the app.
    is_withheld INTEGER NOT NULL CHECK (is_withheld IN (0, 1)),
    -- Why the state that was withheld last is; 0 while none of its states is withheld. 1 crash, 2 stale,
    -- 3 declined, 4 failed, 5 newer, 6 unreadable, 7 lost, 8 held.
    withheld_reason INTEGER NOT NULL CHECK (withheld_reason BETWEEN 0 AND 8),
    -- After deaths the next launch gives the state to the app once more.
    is_offered INTEGER NOT NULL CHECK (is_offered IN (0, 1)),
    -- That was done already, under the version that a value of the session names.
    was_offered INTEGER NOT NULL CHECK (was_offered IN (0, 1)),
    -- The launch that runs has restored it, after deaths.
    is_suspect INTEGER NOT NULL CHECK (is_suspect IN (0, 1)),
    -- Why it is kept without a scene: 1 one-window, 2 no-entry, 3 displaced, 4 not-kept, 5 left-behind;
    -- 0 it is not.
    parked INTEGER NOT NULL CHECK (parked BETWEEN 0 AND 5),
    -- The closing of its window was undone.
    is_reopened INTEGER NOT NULL CHECK (is_reopened IN (0, 1)),
    -- Another window belongs to it, and it belongs to another one.
    has_children INTEGER NOT NULL CHECK (has_children IN (0, 1)),
    is_child INTEGER NOT NULL CHECK (is_child IN (0, 1)),
    conditions_id INTEGER REFERENCES conditions (id) ON DELETE RESTRICT,
    -- The hash of the value that the window presents.
    value_hash INTEGER,
    created_at INTEGER NOT NULL,
    last_active_at INTEGER NOT NULL,
    saved_at INTEGER,
    generation INTEGER NOT NULL,
    -- The checksum of the row that state_id names: an older version of that row, which bears its own
    -- checksum, is not the current state.
    state_checksum INTEGER,
    checksum INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX session_identifier ON session (identifier, epoch);

-- What a launch asks first, found without looking at the rest.
CREATE INDEX session_front ON session (epoch, recency) WHERE is_front = 1;

CREATE INDEX session_recency ON session (configuration_id, recency, conditions_id)
    WHERE is_open = 1;

CREATE INDEX session_conditions ON session (epoch) WHERE conditions_id IS NOT NULL;

CREATE INDEX session_value_hash ON session (epoch, value_hash) WHERE value_hash IS NOT NULL;

-- The sessions that are kept back.
CREATE INDEX session_exception ON session (epoch)
    WHERE crash_count > 0 OR is_held = 1 OR is_remembered = 0 OR parked > 0;

CREATE INDEX session_closed ON session (epoch) WHERE is_open = 0;

-- What a state was saved under, and a launch ran under.
CREATE TABLE save_context (
    id INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    app_version TEXT,
    system_version TEXT,
    idiom TEXT,
    -- What the app declared about its windows, by which a tool judges the next launch: canonical JSON,
    -- the manifest under the keys of an Info.plist; NULL while no launch declared any.
    declared TEXT,
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
    parked INTEGER NOT NULL CHECK (parked >= 0),
    stale INTEGER NOT NULL CHECK (stale >= 0),
    -- The sessions that it connected behind those in front, by number: `1-9,12`.
    behind TEXT,
    checksum INTEGER NOT NULL
) STRICT;

-- Of the ledger the exceptions only: every session that was not restored, and why.
CREATE TABLE launch_exception (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    launch INTEGER NOT NULL REFERENCES launch (number) ON DELETE CASCADE,
    session_identifier TEXT NOT NULL,
    outcome TEXT NOT NULL
        CHECK (
            outcome IN (
                'held', 'withheld', 'lost', 'discarded', 'evicted', 'declined', 'parked', 'stale'
            )
        ),
    reason TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE INDEX launch_exception_launch ON launch_exception (launch);

-- The journal of everything but saves (a save's entry is its row of `state`): a ring whose rows
-- are numbered 1 to its capacity and written over in turn. An entry `restored` has in its detail
-- the numbers of the sessions that a launch gave the state that was saved last.
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

-- For people with the sqlite3 shell: readable names and times (UTC), the current epoch only. The words
-- are those of the command's JSON and CSV. The columns of these views are stable; new ones come at the
-- end.

CREATE VIEW sessions AS
SELECT
    session.identifier AS session,
    CAST(title.payload AS TEXT) AS title,
    CASE
        WHEN session.is_open = 0 THEN 'discarded'
        WHEN session.parked BETWEEN 1 AND 4 THEN 'parked'
        WHEN session.is_held = 1 THEN 'held'
        ELSE 'open'
    END AS state,
    session.is_front AS in_front,
    configuration.name AS configuration,
    configuration.role AS role,
    state.activity_type AS activity,
    state.byte_count AS bytes,
    strftime('%Y-%m-%d %H:%M:%S', session.last_active_at / 1000.0, 'unixepoch') AS last_active,
    strftime('%Y-%m-%d %H:%M:%S', session.saved_at / 1000.0, 'unixepoch') AS saved,
    strftime('%Y-%m-%d %H:%M:%S', session.created_at / 1000.0, 'unixepoch') AS created,
    session.crash_count AS crashes,
    session.is_stale AS stale,
    session.is_remembered AS restoration_enabled,
    session.is_pinned AS pinned,
    CASE session.privacy WHEN 2 THEN 'ephemeral' WHEN 1 THEN 'redacted' ELSE 'standard' END
        AS privacy,
    session.recency AS recency,
    session.generation AS generation,
    session.id AS id,
    session.is_held AS held_by_hand
FROM
    session
    JOIN store ON session.epoch = store.container_epoch
    LEFT JOIN configuration ON configuration.id = session.configuration_id
    LEFT JOIN state ON state.id = session.state_id
    LEFT JOIN session_value AS title ON title.id = session.id << 8 | 2
ORDER BY session.is_open DESC, session.recency DESC, session.identifier;

CREATE VIEW activities AS
SELECT
    session.identifier AS session,
    state.activity_type AS activity,
    state.id = session.state_id AS current,
    strftime('%Y-%m-%d %H:%M:%S', state.saved_at / 1000.0, 'unixepoch') AS saved,
    state.byte_count AS bytes,
    save_context.app_version AS app_version,
    save_context.system_version AS system_version,
    save_context.idiom AS idiom,
    state.generation AS generation,
    state.id AS id
FROM
    state
    JOIN session ON session.id = state.id >> 8
    JOIN store ON session.epoch = store.container_epoch
    LEFT JOIN save_context ON save_context.id = state.context_id
ORDER BY state.generation DESC, state.id;

CREATE VIEW discards AS
SELECT
    discard.identifier AS session,
    discard.cause AS cause,
    CASE discard.delivery WHEN 0 THEN 'pending' WHEN 1 THEN 'offered' ELSE 'delivered' END
        AS delivery,
    configuration.name AS configuration,
    configuration.role AS role,
    strftime('%Y-%m-%d %H:%M:%S', discard.discarded_at / 1000.0, 'unixepoch') AS closed,
    EXISTS (SELECT 1 FROM session WHERE session.id = discard.id) AS can_reopen,
    discard.generation AS generation,
    discard.id AS id
FROM
    discard
    JOIN store ON discard.epoch = store.container_epoch
    LEFT JOIN configuration ON configuration.id = discard.configuration_id
ORDER BY discard.generation DESC, discard.identifier;

CREATE VIEW launches AS
SELECT
    launch.number AS launch,
    launch.reason AS reason,
    strftime('%Y-%m-%d %H:%M:%S', launch.started_at / 1000.0, 'unixepoch') AS started,
    strftime('%Y-%m-%d %H:%M:%S', launch.ended_at / 1000.0, 'unixepoch') AS ended,
    launch.ended_how AS ending,
    save_context.app_version AS app_version,
    save_context.system_version AS system_version,
    -- Nobody knows it of one that died before it wrote its ledger.
    iif(launch.expected = 0 AND launch.ended_at IS NULL AND launch.reason <> 'first', NULL, launch.expected)
        AS expected,
    launch.restored AS restored,
    launch.held AS held,
    launch.withheld AS withheld,
    launch.lost AS lost,
    launch.discarded AS discarded,
    launch.evicted AS evicted,
    launch.declined AS declined,
    launch.process_identifier AS process,
    launch.parked AS parked,
    launch.stale AS stale
FROM
    launch
    JOIN store ON launch.epoch = store.container_epoch
    LEFT JOIN save_context ON save_context.id = launch.context_id
ORDER BY launch.number DESC;

-- A decision's detail is `outcome: reason`. A save's entry is the row of `state` that it wrote.
CREATE VIEW events AS
SELECT
    event.generation AS generation,
    strftime('%Y-%m-%d %H:%M:%S', event.happened_at / 1000.0, 'unixepoch') AS time,
    event.kind AS event,
    event.session_identifier AS session,
    iif(decision.colon > 0, substr(event.detail, 1, decision.colon - 1), event.detail) AS outcome,
    event.launch AS launch,
    iif(decision.colon > 0, substr(event.detail, decision.colon + 2), NULL) AS reason
FROM
    event
    JOIN (
        SELECT
            id,
            iif(
                kind IN (
                    'launch-reason', 'reconnect', 'stay', 'provider', 'configuration',
                    'restoration', 'target', 'delivery', 'discard'
                ),
                instr(detail, ':'),
                0
            ) AS colon
        FROM
            event
    ) AS decision ON decision.id = event.id
    JOIN store ON event.epoch = store.container_epoch
UNION ALL
SELECT
    state.generation,
    strftime('%Y-%m-%d %H:%M:%S', state.saved_at / 1000.0, 'unixepoch'),
    'save',
    session.identifier,
    state.activity_type || ', ' || state.byte_count || ' bytes',
    (SELECT max(number) FROM launch WHERE launch.generation <= state.generation),
    NULL
FROM
    state
    JOIN session ON session.id = state.id >> 8
    JOIN store ON session.epoch = store.container_epoch
ORDER BY 1 DESC;

PRAGMA user_version = 1;
