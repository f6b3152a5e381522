-- The ledger of a launch also counts the sessions that are parked, and those whose configuration is
-- gone. A launch finds all sessions that are kept back without looking at the rest: those that a
-- process died restoring (crash_count), that are held by hand (2) or parked (57344), and those that
-- are not to be remembered (4).

DROP INDEX session_exception;

-- NULL when there is none, and in rows that earlier versions wrote: NULL adds nothing to the row's
-- own checksum.
ALTER TABLE launch ADD COLUMN parked INTEGER CHECK (parked > 0);
ALTER TABLE launch ADD COLUMN stale INTEGER CHECK (stale > 0);

-- The rows stay as they are, checksums included; the check knows two more outcomes.
ALTER TABLE launch_exception RENAME TO launch_exception_before;

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

INSERT INTO launch_exception SELECT * FROM launch_exception_before;

DROP TABLE launch_exception_before;

CREATE INDEX launch_exception_launch ON launch_exception (launch);

-- Here, so that a new store has no free page.
CREATE INDEX session_exception ON session (epoch) WHERE crash_count > 0 OR flags & 57350 <> 0;

DROP VIEW launches;

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
    launch.process_identifier AS process,
    ifnull(launch.parked, 0) AS parked,
    ifnull(launch.stale, 0) AS stale
FROM
    launch
    JOIN store ON launch.epoch = store.container_epoch
    LEFT JOIN save_context ON save_context.id = launch.context_id
ORDER BY launch.number DESC;

PRAGMA user_version = 7;
