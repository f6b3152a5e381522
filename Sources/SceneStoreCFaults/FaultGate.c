#include "FaultDisk.h"

#include <errno.h>

// What xGetLastError answers after an injected failure. As with errno itself, a success leaves it
// as it is.
static _Thread_local int injected_errno;

static int usual_code(int operation, int effect) {
    switch (operation) {
    case SSF_READ: return SQLITE_IOERR_READ;
    case SSF_WRITE: return effect == SSF_SHORT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    case SSF_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
    case SSF_SYNC: return SQLITE_IOERR_FSYNC;
    case SSF_FILE_SIZE: return SQLITE_IOERR_FSTAT;
    case SSF_OPEN: return SQLITE_CANTOPEN;
    case SSF_DELETE: return SQLITE_IOERR_DELETE;
    case SSF_ACCESS: return SQLITE_IOERR_ACCESS;
    case SSF_LOCK: return SQLITE_IOERR_LOCK;
    case SSF_UNLOCK: return SQLITE_IOERR_UNLOCK;
    case SSF_CHECK_RESERVED: return SQLITE_IOERR_CHECKRESERVEDLOCK;
    case SSF_SHM_MAP: return SQLITE_IOERR_SHMMAP;
    case SSF_SHM_LOCK: return SQLITE_IOERR_SHMLOCK;
    default: return SQLITE_IOERR;
    }
}

ssf_verdict ssf_gate(ssf_disk *disk, int operation, int kind) {
    ssf_verdict verdict = {SQLITE_OK, SSF_AFTER};
    ssf_disk_lock(disk);
    disk->operations++;
    disk->calls[operation][kind]++;
    if (disk->powerOffAt && disk->operations >= disk->powerOffAt) disk->isOff = true;
    if (disk->isOff) {
        verdict.code = usual_code(operation, SSF_BEFORE);
        verdict.effect = SSF_BEFORE;
    }
    bool isHit = disk->isOff;
    for (size_t index = 0; index < disk->programCount; index++) {
        ssf_armed *armed = &disk->program[index];
        const ssf_fault *fault = &armed->fault;
        if (!(fault->operations & (1u << operation)) || !(fault->kinds & (1u << kind))) continue;
        armed->seen++;
        bool isDue = armed->seen == fault->first
                     || (fault->permanent && armed->seen > fault->first);
        if (!isDue || isHit) continue;
        isHit = true;
        disk->fired++;
        verdict.effect = fault->effect;
        verdict.code = fault->code ? fault->code : usual_code(operation, fault->effect);
        if (fault->effect == SSF_SILENT) verdict.code = SQLITE_OK;
    }
    ssf_disk_unlock(disk);
    if (verdict.code) injected_errno = (verdict.code & 0xff) == SQLITE_FULL ? ENOSPC : EIO;
    return verdict;
}

bool ssf_stops(ssf_verdict verdict) {
    return verdict.effect == SSF_SILENT || (verdict.code && verdict.effect != SSF_AFTER);
}

int ssf_finish(const ssf_disk *disk, int code, ssf_verdict verdict) {
    int primary = code & 0xff;
    if (primary == SQLITE_IOERR || primary == SQLITE_FULL || primary == SQLITE_CANTOPEN) {
        // A real disk has set errno itself; a memory disk's failures have one made up for them.
        injected_errno = !disk->isMemory ? 0 : primary == SQLITE_FULL ? ENOSPC : EIO;
    }
    return code ? code : verdict.code;
}

int ssf_injected_errno(void) { return injected_errno; }

void ssf_note_full(void) { injected_errno = ENOSPC; }
