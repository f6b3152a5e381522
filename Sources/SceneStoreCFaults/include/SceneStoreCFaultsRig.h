#ifndef SCENESTORE_C_FAULTS_RIG_H
#define SCENESTORE_C_FAULTS_RIG_H

// What the rigs and their positive controls need of raw SQLite: a connection without anything of
// the library in between, and a power-cut rig with a workload whose outcome is known exactly.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ssf_connection ssf_connection;

enum { SSF_OPEN_WRITE = 0, SSF_OPEN_CREATE, SSF_OPEN_READ };

// Opens through the VFS of that name; `path` may be a file: URI. NULL and the extended code on
// failure.
ssf_connection *ssf_connection_open(const char *vfs, const char *path, int mode, int *code);
void ssf_connection_close(ssf_connection *connection);
// Closes without the checkpoint that the last connection makes otherwise.
void ssf_connection_abandon(ssf_connection *connection);
// Runs statements and drops their rows; answers the extended code.
int ssf_connection_execute(ssf_connection *connection, const char *sql);
// The first column of the first row as a number; SQLITE_DONE in `code` when there is no row.
int64_t ssf_connection_number(ssf_connection *connection, const char *sql, int *code);
// The same as text, to be given to ssf_free; NULL when there is none.
char *ssf_connection_text(ssf_connection *connection, const char *sql, int *code);
// The errno behind the last failure, as the VFS tells it.
int ssf_connection_errno(ssf_connection *connection);

enum {
    SSF_RIG_WAL = 0,
    SSF_RIG_DELETE,
    SSF_RIG_TRUNCATE,
    SSF_RIG_PERSIST,
    SSF_RIG_MEMORY,
    SSF_RIG_OFF
};

enum {
    SSF_SYNC_SOUND = 0,
    SSF_SYNC_FAILS,          // one sync fails; the process restarts and goes on
    SSF_SYNC_FAILS_REMEDIED, // the same, and the page cache is dropped before it goes on
    SSF_SYNC_LIES            // syncs report success and do nothing
};

typedef struct ssf_rig_options {
    int32_t journal;     // SSF_RIG_…
    int32_t synchronous; // as the pragma: 0 off, 1 normal, 2 full, 3 extra
    int32_t sync;        // SSF_SYNC_…
    int32_t directory;   // SSF_DIRECTORY_…
    int32_t mode;        // SSF_CUT_…
    uint32_t sectorSize;
    uint32_t sessions;   // rows, at most 64
    uint32_t saves;      // in one episode, at most 64
    uint32_t outcomes;   // at each cut point
    uint32_t stride;     // each n-th cut point; 1 for all
    bool checksIntegrity;
    uint64_t seed;
} ssf_rig_options;

// Where a failing cut is found again.
typedef struct ssf_rig_place {
    uint64_t episode;
    uint64_t position;
    uint64_t outcome;
} ssf_rig_place;

typedef struct ssf_rig_result {
    uint64_t episodes;
    uint64_t points;
    uint64_t cuts;
    uint64_t saves;    // acknowledged, over all episodes
    uint64_t lost;     // cuts after which an acknowledged save was missing
    uint64_t half;     // a save was applied in part, or rows are not what was saved
    uint64_t damaged;  // SQLite itself found the file damaged
    uint64_t unopened; // it could not be opened or read for another reason
    uint64_t trouble;  // the workload failed where no fault was meant
    bool hasFailure;
    ssf_rig_place first;
} ssf_rig_result;

// A workload of `saves` transactions over several pages each, with checkpoints in between; then
// every cut point times `outcomes` power cuts, each of which is opened and read whole. Runs
// episodes from `firstEpisode` on until `cuts` were made.
ssf_rig_result ssf_rig_run(const ssf_rig_options *options, uint64_t firstEpisode, uint64_t cuts);
// Makes one cut again.
ssf_rig_result ssf_rig_repeat(const ssf_rig_options *options, ssf_rig_place place);

#ifdef __cplusplus
}
#endif

#endif
