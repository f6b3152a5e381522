-- The views say in SQL what the command says in JSON and CSV: one word for each thing.

DROP VIEW sessions;
DROP VIEW activities;
DROP VIEW discards;
DROP VIEW launches;
DROP VIEW events;

CREATE VIEW sessions AS
SELECT
    session.identifier AS session,
    CAST(title.payload AS TEXT) AS title,
    CASE
        WHEN session.is_open = 0 THEN 'discarded'
        WHEN session.flags & 57344 <> 0 THEN 'parked'
        WHEN session.flags & 2 <> 0 THEN 'held'
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
    session.flags & 1 AS stale,
    session.flags & 4 = 0 AS restoration_enabled,
    (session.flags & 8) / 8 AS pinned,
    CASE
        WHEN session.flags & 32 <> 0 THEN 'ephemeral'
        WHEN session.flags & 16 <> 0 THEN 'redacted'
        ELSE 'standard'
    END AS privacy,
    session.recency AS recency,
    session.generation AS generation,
    session.id AS id,
    (session.flags & 2) / 2 AS held_by_hand
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
    launch.expected AS expected,
    launch.restored AS restored,
    launch.held AS held,
    launch.withheld AS withheld,
    launch.lost AS lost,
    launch.discarded AS discarded,
    launch.evicted AS evicted,
    launch.declined AS declined,
    launch.process_identifier AS process
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

PRAGMA user_version = 5;
