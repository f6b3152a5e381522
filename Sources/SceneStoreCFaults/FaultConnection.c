#include <sqlite3.h>

#include "FaultContent.h"
#include "SceneStoreCFaultsRig.h"

// A raw connection. The pointer handed out is SQLite's own.

static sqlite3 *handle(ssf_connection *connection) { return (sqlite3 *)connection; }

ssf_connection *ssf_connection_open(const char *vfs, const char *path, int mode, int *code) {
    static const int flags[3] = {
        SQLITE_OPEN_READWRITE, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY};
    sqlite3 *database = NULL;
    int chosen = flags[mode >= 0 && mode < 3 ? mode : 0] | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    int result = sqlite3_open_v2(path, &database, chosen, vfs);
    if (result == SQLITE_OK) {
        sqlite3_extended_result_codes(database, 1);
        *code = SQLITE_OK;
        return (ssf_connection *)database;
    }
    *code = database ? sqlite3_extended_errcode(database) : result;
    sqlite3_close_v2(database);
    return NULL;
}

void ssf_connection_close(ssf_connection *connection) { sqlite3_close_v2(handle(connection)); }

void ssf_connection_abandon(ssf_connection *connection) {
    if (!connection) return;
    sqlite3_db_config(handle(connection), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
    sqlite3_close_v2(handle(connection));
}

int ssf_connection_execute(ssf_connection *connection, const char *sql) {
    return sqlite3_exec(handle(connection), sql, NULL, NULL, NULL);
}

static sqlite3_stmt *first_row(ssf_connection *connection, const char *sql, int *code) {
    sqlite3_stmt *statement = NULL;
    *code = sqlite3_prepare_v2(handle(connection), sql, -1, &statement, NULL);
    if (*code == SQLITE_OK) *code = sqlite3_step(statement);
    if (*code == SQLITE_ROW) return statement;
    sqlite3_finalize(statement);
    return NULL;
}

int64_t ssf_connection_number(ssf_connection *connection, const char *sql, int *code) {
    sqlite3_stmt *statement = first_row(connection, sql, code);
    if (!statement) return 0;
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    *code = SQLITE_OK;
    return number;
}

char *ssf_connection_text(ssf_connection *connection, const char *sql, int *code) {
    sqlite3_stmt *statement = first_row(connection, sql, code);
    if (!statement) return NULL;
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    char *copy = text ? ssf_duplicate(text) : NULL;
    sqlite3_finalize(statement);
    *code = SQLITE_OK;
    return copy;
}

int ssf_connection_errno(ssf_connection *connection) {
    return sqlite3_system_errno(handle(connection));
}
