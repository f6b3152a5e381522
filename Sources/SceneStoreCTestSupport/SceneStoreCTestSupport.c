#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

// SQLite counts its memory under one lock for the whole process. No test asks for the count, and
// stores that tests use at the same time would wait for each other.
__attribute__((constructor)) static void scenestore_test_leave_memory_uncounted(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

pid_t scenestore_test_fork(int (*body)(void *context), void *context) {
    pid_t child = fork();
    if (child < 0) { return -errno; }
    if (child == 0) { _exit(body(context)); }
    return child;
}

pid_t scenestore_test_spawn_halfway(void) {
#if defined(__linux__)
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child < 0) { return -errno; }
    if (child == 0) {
        for (;;) { syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0); }
    }
    return child;
#else
    return -ENOSYS;
#endif
}

int scenestore_test_become(uid_t user) {
#if defined(__linux__)
    // The library's function changes all threads.
    return syscall(SYS_setresuid, -1, user, -1) == 0 ? 0 : -errno;
#else
    (void)user;
    return -ENOSYS;
#endif
}

int scenestore_test_wait(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) { return -errno; }
    }
    if (WIFEXITED(status)) { return WEXITSTATUS(status); }
    if (WIFSIGNALED(status)) { return 1000 + WTERMSIG(status); }
    return -ECHILD;
}

int scenestore_test_make_socket(const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) { return -ENAMETOOLONG; }
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0) { return -errno; }
    int result = bind(descriptor, (struct sockaddr *)&address, sizeof address);
    int failure = errno;
    close(descriptor);
    return result == 0 ? 0 : -failure;
}

int scenestore_test_open_terminal(int *master, int *terminal) {
    int opened = posix_openpt(O_RDWR | O_NOCTTY);
    if (opened < 0) { return -errno; }
    const char *name = NULL;
    int other = -1;
    if (grantpt(opened) == 0 && unlockpt(opened) == 0 && (name = ptsname(opened)) != NULL) {
        other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    if (other < 0 || fcntl(opened, F_SETFD, FD_CLOEXEC) != 0) {
        int code = errno;
        if (other >= 0) { close(other); }
        close(opened);
        return -code;
    }
    *master = opened;
    *terminal = other;
    return 0;
}
