#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "FaultContent.h"
#include "FaultRandom.h"
#include "SceneStoreCFaults.h"

// The power-cut rig. What a save writes follows from the seed and the number of the save alone, so
// that after a cut the file says which save it holds, and every row can be compared with what that
// save must have left. Nothing is learned from the file that is checked.

#define MOST_SESSIONS 64u
#define MOST_SAVES 64u
#define MOST_TOUCHED 4u
#define MOST_BYTES 1600u

typedef struct rig {
    ssf_rig_options options;
    uint64_t seed;     // of the episode
    uint64_t setting;  // of the rows before the first save: the same in all episodes
    ssf_disk *template;
    ssf_disk *disk;
    ssf_disk *target;
    // The save that a session was last touched by, after each save.
    uint8_t last[MOST_SAVES + 1][MOST_SESSIONS];
    ssf_rig_result result;
} rig;

static unsigned touched(const rig *rig, unsigned save, unsigned sessions[MOST_TOUCHED]) {
    ssf_random random = {ssf_seed(rig->seed, 1, save, 0)};
    unsigned count = 1 + (unsigned)ssf_below(&random, MOST_TOUCHED - 1);
    for (unsigned index = 0; index < count; index++) {
        sessions[index] = (unsigned)ssf_below(&random, rig->options.sessions);
    }
    return count;
}

static size_t payload(const rig *rig, unsigned session, unsigned save, uint8_t *bytes) {
    ssf_random random = {ssf_seed(save ? rig->seed : rig->setting, 2, session, save)};
    size_t length = 100 + (size_t)ssf_below(&random, MOST_BYTES - 107);
    for (size_t index = 0; index < length; index += 8) {
        uint64_t word = ssf_next(&random);
        memcpy(bytes + index, &word, 8);
    }
    return length;
}

static sqlite3 *open_rig(ssf_disk *disk) {
    int code = SQLITE_OK;
    return (sqlite3 *)ssf_connection_open(
        ssf_disk_name(disk), "/rig.sqlite", SSF_OPEN_CREATE, &code);
}

static int run(sqlite3 *database, const char *sql) {
    return sqlite3_exec(database, sql, NULL, NULL, NULL);
}

static bool configure(sqlite3 *database, const ssf_rig_options *options) {
    static const char *const journals[6] = {
        "PRAGMA journal_mode=WAL",     "PRAGMA journal_mode=DELETE",
        "PRAGMA journal_mode=TRUNCATE", "PRAGMA journal_mode=PERSIST",
        "PRAGMA journal_mode=MEMORY",  "PRAGMA journal_mode=OFF"};
    static const char *const levels[4] = {
        "PRAGMA synchronous=OFF", "PRAGMA synchronous=NORMAL", "PRAGMA synchronous=FULL",
        "PRAGMA synchronous=EXTRA"};
    return run(database, journals[options->journal]) == SQLITE_OK
           && run(database, levels[options->synchronous]) == SQLITE_OK
           && run(database, "PRAGMA wal_autocheckpoint=0") == SQLITE_OK;
}

static bool bind_row(
    const rig *rig, sqlite3_stmt *statement, unsigned session, unsigned save) {
    uint8_t bytes[MOST_BYTES];
    size_t length = payload(rig, session, save, bytes);
    sqlite3_bind_int64(statement, 1, (int64_t)session);
    sqlite3_bind_int64(statement, 2, (int64_t)save);
    sqlite3_bind_blob(statement, 3, bytes, (int)length, SQLITE_TRANSIENT);
    return sqlite3_step(statement) == SQLITE_DONE;
}

#define UPDATE                                                                                 \
    "INSERT INTO session VALUES (?1, ?2, ?3)"                                                   \
    " ON CONFLICT (id) DO UPDATE SET save = ?2, state = ?3"

// A disk with the rows as they are before the first save, closed and durable.
static bool prepare(rig *rig) {
    rig->template = ssf_disk_create(rig->options.seed, true);
    if (!rig->template) return false;
    sqlite3 *database = open_rig(rig->template);
    bool isSound =
        database
        && run(database,
               "CREATE TABLE session (id INTEGER PRIMARY KEY, save INTEGER, state BLOB);"
               "CREATE INDEX session_save ON session (save);"
               "CREATE TABLE head (id INTEGER PRIMARY KEY, save INTEGER);"
               "INSERT INTO head VALUES (1, 0);") == SQLITE_OK
        && configure(database, &rig->options);
    sqlite3_stmt *statement = NULL;
    isSound = isSound && run(database, "BEGIN") == SQLITE_OK
              && sqlite3_prepare_v2(database, UPDATE, -1, &statement, NULL) == SQLITE_OK;
    for (unsigned session = 0; isSound && session < rig->options.sessions; session++) {
        isSound = bind_row(rig, statement, session, 0);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    isSound = isSound && run(database, "COMMIT") == SQLITE_OK;
    sqlite3_close_v2(database);
    ssf_disk_reboot(rig->template, 0, SSF_CUT_KEEP_ALL);
    ssf_settings settings = ssf_disk_settings(rig->template);
    settings.sectorSize = rig->options.sectorSize;
    settings.directory = rig->options.directory;
    settings.lies = rig->options.sync == SSF_SYNC_LIES;
    ssf_disk_set_settings(rig->template, settings);
    rig->target = ssf_disk_copy(rig->template);
    return isSound && rig->target;
}

static bool save(rig *rig, sqlite3 *database, sqlite3_stmt *update, unsigned number) {
    unsigned sessions[MOST_TOUCHED];
    unsigned count = touched(rig, number, sessions);
    bool isSound = run(database, "BEGIN IMMEDIATE") == SQLITE_OK;
    for (unsigned index = 0; isSound && index < count; index++) {
        isSound = bind_row(rig, update, sessions[index], number);
        sqlite3_reset(update);
    }
    isSound = isSound && run(database, "UPDATE head SET save = save + 1") == SQLITE_OK
              && run(database, "COMMIT") == SQLITE_OK;
    if (!isSound) run(database, "ROLLBACK");
    return isSound;
}

static unsigned remembered(sqlite3 *database) {
    int code = SQLITE_OK;
    return (unsigned)ssf_connection_number(
        (ssf_connection *)database, "SELECT save FROM head", &code);
}

static bool fails_sync(const rig *rig) {
    return rig->options.sync == SSF_SYNC_FAILS || rig->options.sync == SSF_SYNC_FAILS_REMEDIED;
}

// Runs the saves of one episode and records them. A sync that fails on purpose ends the process;
// the next one opens the file again, with the caches as they are.
static ssf_trace *record(rig *rig) {
    ssf_random random = {ssf_seed(rig->seed, 3, 0, 0)};
    bool failsSync = fails_sync(rig);
    if (failsSync) {
        ssf_fault fault = {
            .operations = 1u << SSF_SYNC,
            .kinds = (1u << SSF_KIND_COUNT) - 1,
            .first = 1 + ssf_below(&random, rig->options.saves),
            .effect = SSF_FORGET,
        };
        ssf_disk_set_program(rig->disk, &fault, 1);
    }
    ssf_disk_start_trace(rig->disk);
    sqlite3 *database = NULL;
    sqlite3_stmt *update = NULL;
    unsigned done = 0;
    for (unsigned attempt = 0; done < rig->options.saves && attempt < MOST_SAVES * 2; attempt++) {
        if (!database) {
            database = open_rig(rig->disk);
            if (!database || !configure(database, &rig->options)
                || sqlite3_prepare_v2(database, UPDATE, -1, &update, NULL) != SQLITE_OK) {
                break;
            }
            // It goes on from what it finds. A save that failed and is found all the same was never
            // acknowledged and is not from now on either.
            done = remembered(database);
            if (done >= rig->options.saves) break;
        }
        bool isSound = save(rig, database, update, done + 1);
        if (isSound) {
            done++;
            ssf_disk_mark(rig->disk, done);
            static const char *const checkpoints[4] = {
                "PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(FULL)",
                "PRAGMA wal_checkpoint(RESTART)", "PRAGMA wal_checkpoint(TRUNCATE)"};
            if (ssf_chance(&random, 64)) {
                isSound = run(database, checkpoints[ssf_below(&random, 4)]) == SQLITE_OK;
            }
        }
        if (isSound) continue;
        if (!failsSync) {
            rig->result.trouble++;
            break;
        }
        ssf_disk_crash(rig->disk);
        sqlite3_finalize(update);
        ssf_connection_abandon((ssf_connection *)database);
        update = NULL;
        database = NULL;
        if (rig->options.sync == SSF_SYNC_FAILS_REMEDIED) ssf_disk_drop_cache(rig->disk);
    }
    if (done < rig->options.saves) rig->result.trouble++;
    sqlite3_finalize(update);
    ssf_connection_abandon((ssf_connection *)database);
    rig->result.saves += done;
    return ssf_disk_end_trace(rig->disk);
}

static void expect_rows(rig *rig) {
    memset(rig->last, 0, sizeof rig->last);
    for (unsigned number = 1; number <= rig->options.saves; number++) {
        memcpy(rig->last[number], rig->last[number - 1], MOST_SESSIONS);
        unsigned sessions[MOST_TOUCHED];
        unsigned count = touched(rig, number, sessions);
        for (unsigned index = 0; index < count; index++) {
            rig->last[number][sessions[index]] = (uint8_t)number;
        }
    }
}

enum { SOUND = 0, LOST, HALF, DAMAGED, UNOPENED };

static int fault_of(int code) {
    return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB ? DAMAGED : UNOPENED;
}

static int check_rows(const rig *rig, sqlite3_stmt *rows, uint64_t acknowledged) {
    int code = sqlite3_step(rows);
    if (code != SQLITE_ROW) return code == SQLITE_DONE ? HALF : fault_of(code);
    // The first row is the head.
    int64_t head = sqlite3_column_int64(rows, 1);
    if (head < 0 || head > (int64_t)rig->options.saves) return HALF;
    unsigned session = 0;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        if (session >= rig->options.sessions
            || sqlite3_column_int64(rows, 0) != (int64_t)session
            || sqlite3_column_int64(rows, 1) != (int64_t)rig->last[head][session]) {
            return HALF;
        }
        uint8_t bytes[MOST_BYTES];
        size_t length = payload(rig, session, rig->last[head][session], bytes);
        const void *state = sqlite3_column_blob(rows, 2);
        if (!state || (size_t)sqlite3_column_bytes(rows, 2) != length
            || memcmp(state, bytes, length)) {
            return HALF;
        }
        session++;
    }
    if (code != SQLITE_DONE) return fault_of(code);
    if (session != rig->options.sessions) return HALF;
    if ((uint64_t)head < acknowledged) return LOST;
    // One save may be under way, and one that failed may have been found again.
    return (uint64_t)head > acknowledged + (fails_sync(rig) ? 2 : 1) ? HALF : SOUND;
}

// Opens the disk as the next launch would and reads all of it.
static int check(const rig *rig, uint64_t acknowledged) {
    int code = SQLITE_OK;
    sqlite3 *database = (sqlite3 *)ssf_connection_open(
        ssf_disk_name(rig->target), "/rig.sqlite", SSF_OPEN_WRITE, &code);
    if (!database) return UNOPENED;
    int verdict = SOUND;
    sqlite3_stmt *rows = NULL;
    code = sqlite3_prepare_v2(
        database,
        "SELECT id, save, NULL FROM head UNION ALL SELECT id, save, state FROM session", -1,
        &rows, NULL);
    verdict = code == SQLITE_OK ? check_rows(rig, rows, acknowledged) : fault_of(code);
    sqlite3_finalize(rows);
    // Damage goes before all else. What SQLite makes of a damaged page when it reads a row differs
    // from run to run (it may look at memory behind the cell), the integrity check does not.
    bool isOpen = verdict == SOUND || verdict == LOST;
    if (verdict == HALF || (isOpen && rig->options.checksIntegrity)) {
        char *answer = ssf_connection_text(
            (ssf_connection *)database, "PRAGMA integrity_check(1)", &code);
        if (!answer || strcmp(answer, "ok")) verdict = DAMAGED;
        free(answer);
    }
    ssf_connection_abandon((ssf_connection *)database);
    return verdict;
}

static void cut(rig *rig, ssf_replay *replay, ssf_rig_place place) {
    uint64_t seed = ssf_cut_seed(rig->seed, place.position, place.outcome);
    ssf_replay_power_cut_into(replay, seed, rig->options.mode, rig->target);
    int verdict = check(rig, ssf_replay_mark(replay));
    rig->result.cuts++;
    rig->result.lost += verdict == LOST;
    rig->result.half += verdict == HALF;
    rig->result.damaged += verdict == DAMAGED;
    rig->result.unopened += verdict == UNOPENED;
    if (verdict != SOUND && !rig->result.hasFailure) {
        rig->result.hasFailure = true;
        rig->result.first = place;
    }
}

// One episode; `only` is the one cut to make, or NULL for all.
static void episode(rig *rig, uint64_t number, uint64_t cuts, const ssf_rig_place *only) {
    rig->seed = ssf_seed(rig->options.seed, 5, number, 0);
    rig->disk = ssf_disk_copy(rig->template);
    if (!rig->disk) {
        rig->result.trouble++;
        return;
    }
    expect_rows(rig);
    ssf_trace *trace = record(rig);
    ssf_replay *replay = trace ? ssf_replay_create(trace) : NULL;
    rig->result.episodes++;
    bool goesOn = replay != NULL;
    while (goesOn && rig->result.cuts < cuts) {
        uint64_t position = ssf_replay_position(replay);
        bool isPoint = only ? position == only->position
                            : position % rig->options.stride == 0
                                  && !ssf_replay_is_before_mark(replay);
        if (isPoint) {
            rig->result.points++;
            ssf_rig_place place = {number, position, only ? only->outcome : 0};
            uint64_t last = only ? only->outcome : rig->options.outcomes - 1;
            for (; place.outcome <= last && rig->result.cuts < cuts; place.outcome++) {
                cut(rig, replay, place);
            }
        }
        goesOn = ssf_replay_advance(replay) && !(only && isPoint);
    }
    ssf_replay_release(replay);
    ssf_trace_release(trace);
    ssf_disk_release(rig->disk);
}

static bool start(rig *rig, const ssf_rig_options *options) {
    rig->options = *options;
    ssf_rig_options *own = &rig->options;
    if (own->journal < 0 || own->journal > SSF_RIG_OFF) own->journal = SSF_RIG_WAL;
    if (own->synchronous < 0 || own->synchronous > 3) own->synchronous = 2;
    if (own->sessions < 1 || own->sessions > MOST_SESSIONS) own->sessions = 12;
    if (own->saves < 1 || own->saves > MOST_SAVES) own->saves = 10;
    if (!own->outcomes) own->outcomes = 1;
    if (!own->stride) own->stride = 1;
    rig->setting = ssf_seed(own->seed, 6, 0, 0);
    bool isSound = prepare(rig);
    if (!isSound) rig->result.trouble++;
    return isSound;
}

static ssf_rig_result finish(rig *rig) {
    ssf_rig_result result = rig->result;
    ssf_disk_release(rig->template);
    ssf_disk_release(rig->target);
    free(rig);
    return result;
}

ssf_rig_result ssf_rig_run(const ssf_rig_options *options, uint64_t firstEpisode, uint64_t cuts) {
    rig *rig = ssf_allocate(sizeof *rig);
    if (start(rig, options)) {
        uint64_t number = firstEpisode;
        while (rig->result.cuts < cuts && !rig->result.trouble) {
            episode(rig, number++, cuts, NULL);
        }
    }
    return finish(rig);
}

ssf_rig_result ssf_rig_repeat(const ssf_rig_options *options, ssf_rig_place place) {
    rig *rig = ssf_allocate(sizeof *rig);
    if (start(rig, options)) episode(rig, place.episode, UINT64_MAX, &place);
    return finish(rig);
}
