#ifndef SCENESTORE_CSQLITE_SHIM_H
#define SCENESTORE_CSQLITE_SHIM_H

// Swift imports neither C's variadic functions nor SQLite's destructor constants, which are
// casts; each wrapper here stands for one such call and adds nothing to it.

#include <sqlite3.h>

// Sets a Boolean option of a connection; a negative value only reads it.
static inline int scenestore_sqlite3_db_config(
    sqlite3 *database, int option, int value, int *inForce
) {
    return sqlite3_db_config(database, option, value, inForce);
}

// SQLITE_STATIC: the bytes are not copied and must outlive the binding.
static inline int scenestore_sqlite3_bind_borrowed_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

// SQLITE_TRANSIENT: SQLite makes a copy before the call returns.
static inline int scenestore_sqlite3_bind_copied_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(
        statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
