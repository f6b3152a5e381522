#ifndef SCENESTORE_CSQLITE_SHIM_H
#define SCENESTORE_CSQLITE_SHIM_H

// Swift imports neither C's variadic functions nor SQLite's destructor constants, which are
// casts; each wrapper here stands for one such call and adds nothing to it. Two do more: one asks
// two files for their last error, and the last one reads many columns in one go: a row of the
// skeleton has seventeen, and each call costs.

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
static inline int scenestore_sqlite3_bind_copied_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// SQLITE_STATIC, as above.
static inline int scenestore_sqlite3_bind_borrowed_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

// SQLITE_TRANSIENT: SQLite makes a copy before the call returns.
static inline int scenestore_sqlite3_bind_copied_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(
        statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// SQLITE_TRANSIENT: SQLite makes a copy before the call returns.
static inline void scenestore_sqlite3_result_copied_text(
    sqlite3_context *context, const char *bytes, sqlite3_uint64 count
) {
    sqlite3_result_text64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The errno of the last call on the database's file and on its log that the system refused, 0 when
// there was none or the VFS does not tell.
static inline void scenestore_sqlite3_last_errors(sqlite3 *database, int *file, int *log) {
    *file = 0;
    *log = 0;
    (void)sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, file);
    sqlite3_file *second = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &second) == SQLITE_OK
        && second != 0 && second->pMethods != 0 && second->pMethods->xFileControl != 0) {
        (void)second->pMethods->xFileControl(second, SQLITE_FCNTL_LAST_ERRNO, log);
    }
}

// The number of transactions that the write-ahead log's index counts, whoever made them: the field
// iChange of https://sqlite.org/walformat.html#the_wal_index_header. Nothing, and 0, where there is no
// shared index. To be asked while the log is in use: otherwise its index would be opened.
static inline int scenestore_sqlite3_log_changes(sqlite3 *database, unsigned *count) {
    sqlite3_file *file = 0;
    void volatile *region = 0;
    *count = 0;
    // No name is the main database, without comparing names.
    if (sqlite3_file_control(database, 0, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK
        || file == 0 || file->pMethods == 0 || file->pMethods->iVersion < 2
        || file->pMethods->xShmMap == 0
        || file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || region == 0) {
        return 0;
    }
    *count = ((unsigned volatile *)region)[2];
    return 1;
}

// Reads integers from neighbouring columns, and a bit for each that is NULL. Answers the place of
// the first column of another type, else -1. Values are read without locking: connections are
// opened with SQLITE_OPEN_NOMUTEX, where SQLite makes no difference between protected values and
// others (https://sqlite.org/c3ref/value.html).
static inline int scenestore_sqlite3_column_integers(
    sqlite3_stmt *statement, int first, int count, sqlite3_int64 *values,
    sqlite3_uint64 *nulls
) {
    *nulls = 0;
    for (int place = 0; place < count; place++) {
        sqlite3_value *value = sqlite3_column_value(statement, first + place);
        int type = sqlite3_value_type(value);
        if (type == SQLITE_INTEGER) {
            values[place] = sqlite3_value_int64(value);
        } else if (type == SQLITE_NULL) {
            values[place] = 0;
            *nulls |= (sqlite3_uint64)1 << place;
        } else {
            return place;
        }
    }
    return -1;
}

#endif
