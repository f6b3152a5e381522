#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SystemRecord.h"
#include "SceneStoreCSystemFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local struct {
    bool is_recording;
    // An event could not be noted; nothing that follows means anything.
    bool is_broken;
    size_t count;
    size_t room;
    ssf_event *events;
} record;

// A place in the tree: a folder and a name in it.
typedef struct {
    uint64_t folder;
    char *name;
} entry;

bool ssf_is_recording(void) {
    return record.is_recording;
}

void ssf_system_record(void) {
    ssf_system_forget();
    record.is_recording = true;
}

bool ssf_system_stop(void) {
    record.is_recording = false;
    return !record.is_broken;
}

size_t ssf_system_event_count(void) {
    return record.count;
}

const ssf_event *ssf_system_event(size_t index) {
    return index < record.count ? &record.events[index] : NULL;
}

void ssf_system_forget(void) {
    for (size_t index = 0; index < record.count; index += 1) {
        free(record.events[index].bytes);
        free(record.events[index].name);
        free(record.events[index].from_name);
    }
    free(record.events);
    memset(&record, 0, sizeof record);
}

// The next event; NULL when nothing is recorded or there is no room.
static ssf_event *next_event(int kind) {
    if (record.count == record.room) {
        size_t room = record.room == 0 ? 64 : record.room * 2;
        ssf_event *events = realloc(record.events, room * sizeof *events);
        if (events == NULL) {
            record.is_broken = true;
            return NULL;
        }
        record.events = events;
        record.room = room;
    }
    ssf_event *event = &record.events[record.count];
    memset(event, 0, sizeof *event);
    event->kind = kind;
    record.count += 1;
    return event;
}

static uint64_t number_of(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) {
        record.is_broken = true;
        return 0;
    }
    return (uint64_t)status.st_ino;
}

static uint64_t number_at(int folder, const char *path) {
    struct stat status;
    if (fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        record.is_broken = true;
        return 0;
    }
    return (uint64_t)status.st_ino;
}

static entry entry_of(int folder, const char *path) {
    entry found = {0, NULL};
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        found.folder = folder == AT_FDCWD ? number_at(folder, ".") : number_of(folder);
        found.name = strdup(path);
    } else {
        char *parent = strndup(path, slash == path ? 1 : (size_t)(slash - path));
        struct stat status;
        if (parent != NULL && fstatat(folder, parent, &status, 0) == 0) {
            found.folder = (uint64_t)status.st_ino;
        } else {
            record.is_broken = true;
        }
        free(parent);
        found.name = strdup(slash + 1);
    }
    if (found.name == NULL) { record.is_broken = true; }
    return found;
}

// Notes what a block says, and leaves the error number alone.
#define NOTE(kind_of_event, block) \
    do { \
        if (!record.is_recording) { return; } \
        int error = errno; \
        bool armed = ssf_hold_faults(); \
        record.is_recording = false; \
        ssf_event *event = next_event(kind_of_event); \
        if (event != NULL) block \
        record.is_recording = true; \
        ssf_resume_faults(armed); \
        errno = error; \
    } while (0)

bool ssf_name_exists(int folder, const char *path) {
    int error = errno;
    bool armed = ssf_hold_faults();
    struct stat status;
    bool exists = fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
    ssf_resume_faults(armed);
    errno = error;
    return exists;
}

void ssf_note_open(int file, int folder, const char *path, int flags, bool was_there) {
    if ((flags & O_CREAT) != 0 && !was_there) {
        NOTE(SSF_EVENT_MAKE, {
            entry made = entry_of(folder, path);
            event->file = number_of(file);
            event->folder = made.folder;
            event->name = made.name;
        });
    } else if ((flags & O_TRUNC) != 0) {
        ssf_note_truncate(file, 0);
    }
}

void ssf_note_write(int file, const void *bytes, size_t count, int64_t offset) {
    NOTE(SSF_EVENT_WRITE, {
        event->file = number_of(file);
        event->offset = (uint64_t)offset;
        event->bytes = malloc(count == 0 ? 1 : count);
        if (event->bytes == NULL) {
            record.is_broken = true;
        } else {
            memcpy(event->bytes, bytes, count);
            event->count = count;
        }
    });
}

void ssf_note_write_at_place(int file, const void *bytes, size_t count) {
    if (!record.is_recording) { return; }
    // A pipe or a terminal has no place, and no power cut takes anything from it.
    int error = errno;
    int64_t end = (int64_t)lseek(file, 0, SEEK_CUR);
    errno = error;
    if (end >= (int64_t)count) { ssf_note_write(file, bytes, count, end - (int64_t)count); }
}

void ssf_note_truncate(int file, int64_t size) {
    NOTE(SSF_EVENT_TRUNCATE, {
        event->file = number_of(file);
        event->offset = (uint64_t)size;
    });
}

void ssf_note_sync(int file) {
    NOTE(SSF_EVENT_SYNC, { event->file = number_of(file); });
}

void ssf_note_move(
    int kind, int from_folder, const char *from, int to_folder, const char *to
) {
    NOTE(kind, {
        entry source = entry_of(from_folder, from);
        entry target = entry_of(to_folder, to);
        event->file = number_at(to_folder, to);
        event->folder = target.folder;
        event->name = target.name;
        event->from_folder = source.folder;
        event->from_name = source.name;
    });
}

void ssf_note_remove(int folder, const char *path) {
    NOTE(SSF_EVENT_REMOVE, {
        entry removed = entry_of(folder, path);
        event->folder = removed.folder;
        event->name = removed.name;
    });
}

void ssf_note_folder(int folder, const char *path) {
    NOTE(SSF_EVENT_MAKE_FOLDER, {
        entry made = entry_of(folder, path);
        event->file = number_at(folder, path);
        event->folder = made.folder;
        event->name = made.name;
    });
}
