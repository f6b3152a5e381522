#ifndef SCENESTORE_CWALKS_H
#define SCENESTORE_CWALKS_H

// What the library asked of SQLite and of its own lock. The linker puts these functions in front of
// the real ones (`--wrap` in Package.swift), so the library is counted as apps link it.

typedef struct {
    // Write transactions that were committed, of all connections.
    long transactions;
    // Statements that were run, however many rows each had.
    long statements;
    // How often the store's lock was taken.
    long locks;
} scenestore_walk;

// The counts since the process began.
scenestore_walk scenestore_walk_counts(void);

#endif
