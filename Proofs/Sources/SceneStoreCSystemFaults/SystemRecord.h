#ifndef SCENESTORE_SYSTEM_RECORD_H
#define SCENESTORE_SYSTEM_RECORD_H

// What the replaced functions tell the record, each after a call that went well. Nothing is noted
// unless this thread records. The error number is left as it was.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The record's own looks at files are no calls of the program: none is hit or counted meanwhile.
bool ssf_hold_faults(void);
void ssf_resume_faults(bool armed);
// Whether this thread records now.
bool ssf_is_recording(void);
// Whether a name is there: whoever makes a file asks before the call.
bool ssf_name_exists(int folder, const char *path);
// A file was opened: it was made when its name was not there before.
void ssf_note_open(int file, int folder, const char *path, int flags, bool was_there);
void ssf_note_write(int file, const void *bytes, size_t count, int64_t offset);
// Behind a write at the file's own place.
void ssf_note_write_at_place(int file, const void *bytes, size_t count);
void ssf_note_truncate(int file, int64_t size);
void ssf_note_sync(int file);
void ssf_note_move(
    int kind, int from_folder, const char *from, int to_folder, const char *to);
void ssf_note_remove(int folder, const char *path);
void ssf_note_folder(int folder, const char *path);

#endif
