#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCTestSupport.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)
#include <features.h>
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(SANITIZED)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

// One record for each thread: tests run side by side.
static _Thread_local struct {
    bool isOn;
    size_t length;
    char text[65536];
} record;

static void note(const char *call, const char *name) {
    if (!record.isOn) { return; }
    size_t room = sizeof record.text - record.length;
    int count = snprintf(record.text + record.length, room, "%s %s\n", call, name);
    if (count > 0 && (size_t)count < room) { record.length += (size_t)count; }
}

static void note_file(const char *call, int file) {
    if (!record.isOn) { return; }
    int code = errno;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path - 1);
    path[count > 0 ? count : 0] = 0;
    note(call, path);
    errno = code;
}

bool scenestore_test_record_calls(void) {
    record.length = 0;
    record.text[0] = 0;
    record.isOn = true;
    return true;
}

const char *scenestore_test_recorded_calls(void) {
    record.isOn = false;
    return record.text;
}

static _Thread_local struct {
    char name[256];
    void (*body)(void *context);
    void *context;
} opening;

bool scenestore_test_before_opening(
    const char *name, void (*body)(void *context), void *context
) {
    snprintf(opening.name, sizeof opening.name, "%s", name);
    opening.body = body;
    opening.context = context;
    return true;
}

// Weak: where a program brings its own, those are called, and nothing is recorded.

__attribute__((weak)) int fsync(int file) {
    note_file("sync", file);
    static int (*real)(int);
    if (!real) { real = (int (*)(int))dlsym(RTLD_NEXT, "fsync"); }
    return real(file);
}

__attribute__((weak)) int posix_fadvise(int file, off_t offset, off_t length, int advice) {
    if (advice == POSIX_FADV_DONTNEED) { note_file("drop", file); }
    static int (*real)(int, off_t, off_t, int);
    if (!real) { real = (int (*)(int, off_t, off_t, int))dlsym(RTLD_NEXT, "posix_fadvise"); }
    return real(file, offset, length, advice);
}

__attribute__((weak)) int unlinkat(int folder, const char *name, int flags) {
    note("remove", name);
    static int (*real)(int, const char *, int);
    if (!real) { real = (int (*)(int, const char *, int))dlsym(RTLD_NEXT, "unlinkat"); }
    return real(folder, name, flags);
}

__attribute__((weak)) int unlink(const char *path) {
    note("remove", path);
    static int (*real)(const char *);
    if (!real) { real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink"); }
    return real(path);
}

__attribute__((weak)) int renameat(
    int fromFolder, const char *from, int toFolder, const char *to
) {
    note("rename", to);
    static int (*real)(int, const char *, int, const char *);
    if (!real) { real = (int (*)(int, const char *, int, const char *))dlsym(RTLD_NEXT, "renameat"); }
    return real(fromFolder, from, toFolder, to);
}

__attribute__((weak)) int openat(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = __OPEN_NEEDS_MODE(flags) ? (mode_t)va_arg(rest, int) : 0;
    va_end(rest);
    void (*body)(void *) = opening.body;
    if (body && strcmp(name, opening.name) == 0) {
        // Once: the body opens files, too.
        opening.body = NULL;
        body(opening.context);
    }
    static int (*real)(int, const char *, int, ...);
    if (!real) { real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat"); }
    return real(folder, name, flags, mode);
}

#else

bool scenestore_test_record_calls(void) {
    return false;
}

bool scenestore_test_before_opening(
    const char *name, void (*body)(void *context), void *context
) {
    (void)name, (void)body, (void)context;
    return false;
}

const char *scenestore_test_recorded_calls(void) {
    return "";
}

#endif
