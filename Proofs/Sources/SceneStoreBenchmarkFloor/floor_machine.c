#define _GNU_SOURCE

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "include/SceneStoreBenchmarkFloor.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

uint64_t floor_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t floor_processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

const char *floor_compiler(void) {
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

int floor_is_optimised(void) {
#ifdef __OPTIMIZE__
    return 1;
#else
    return 0;
#endif
}

const char *floor_sqlite_version(void) { return sqlite3_libversion(); }

static int by_size(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

uint64_t floor_flush_time(const char *path) {
    enum { ROUNDS = 101 };
    static const char page[4096];
    uint64_t times[ROUNDS];
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return 0;
    int is_done = 1;
    for (int i = 0; i < ROUNDS && is_done; i++) {
        uint64_t start = floor_now();
        is_done = pwrite(file, page, sizeof(page), (off_t)(i % 16) * (off_t)sizeof(page))
            == (ssize_t)sizeof(page);
#ifdef __APPLE__
        is_done = is_done && fcntl(file, F_FULLFSYNC) == 0;
#else
        is_done = is_done && fdatasync(file) == 0;
#endif
        times[i] = floor_now() - start;
    }
    close(file);
    unlink(path);
    qsort(times, ROUNDS, sizeof(*times), by_size);
    return is_done ? times[ROUNDS / 2] : 0;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

int floor_forbid_system_calls(void) {
#ifdef __x86_64__
    const uint32_t architecture = AUDIT_ARCH_X86_64;
#else
    const uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

int floor_forbid_system_calls(void) { return 0; }

#endif

static int64_t number_in(const char *path, const char *format) {
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    char line[128];
    long long bytes = -1;
    while (fgets(line, sizeof(line), file))
        if (sscanf(line, format, &bytes) == 1) break;
    fclose(file);
    return bytes;
}

int64_t floor_written_bytes(void) { return number_in("/proc/self/io", "wchar: %lld"); }

int64_t floor_read_bytes(void) { return number_in("/proc/self/io", "rchar: %lld"); }

int64_t floor_peak_memory(void) {
    int64_t kilobytes = number_in("/proc/self/status", "VmHWM: %lld");
    return kilobytes < 0 ? -1 : kilobytes << 10;
}

__attribute__((noinline)) void floor_counted(void (*body)(void *), void *context) {
    body(context);
    // Nothing may take the place of the call.
    __asm__ volatile("");
}

int64_t floor_memory_in_use(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return -1;
#endif
}
