#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "floor_rows.h"

// Two stores that hold the same rows are the same work done; nothing is left out, for the clock
// and the store's UUID are the same on both sides.

static int differs(const char *table, int64_t row, int column) {
    char text[128];
    snprintf(
        text, sizeof(text), "table %.60s, row %lld, column %d differs", table, (long long)row,
        column);
    return floor_fail(text);
}

static int same_value(sqlite3_stmt *left, sqlite3_stmt *right, int column) {
    int type = sqlite3_column_type(left, column);
    if (type != sqlite3_column_type(right, column)) return 0;
    if (type == SQLITE_INTEGER)
        return sqlite3_column_int64(left, column) == sqlite3_column_int64(right, column);
    const void *a = sqlite3_column_blob(left, column), *b = sqlite3_column_blob(right, column);
    int count = sqlite3_column_bytes(left, column);
    return count == sqlite3_column_bytes(right, column)
        && (count == 0 || memcmp(a, b, (size_t)count) == 0);
}

static int64_t compare_rows(sqlite3 *left, sqlite3 *right, const char *table, const char *sql) {
    sqlite3_stmt *a = NULL, *b = NULL;
    int64_t rows = 0;
    if (sqlite3_prepare_v3(left, sql, -1, 0, &a, NULL) != SQLITE_OK
        || sqlite3_prepare_v3(right, sql, -1, 0, &b, NULL) != SQLITE_OK
        || sqlite3_column_count(a) != sqlite3_column_count(b))
        rows = differs(table, 0, -1) - 1;
    while (rows >= 0) {
        int x = sqlite3_step(a), y = sqlite3_step(b);
        if (x != y || (x != SQLITE_ROW && x != SQLITE_DONE)) {
            rows = differs(table, rows, -1) - 1;
            break;
        }
        if (x == SQLITE_DONE) break;
        for (int i = 0; i < sqlite3_column_count(a); i++) {
            if (same_value(a, b, i)) continue;
            rows = differs(table, rows, i) - 2;
            break;
        }
        rows += rows >= 0;
    }
    sqlite3_finalize(a);
    sqlite3_finalize(b);
    return rows < 0 ? -1 : rows;
}

static int64_t compare(sqlite3 *left, sqlite3 *right) {
    int64_t total = compare_rows(
        left, right, "sqlite_schema",
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name");
    sqlite3_stmt *tables = NULL;
    if (total < 0
        || sqlite3_prepare_v3(
               left, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", -1, 0,
               &tables, NULL)
            != SQLITE_OK)
        return -1;
    while (total >= 0 && sqlite3_step(tables) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(tables, 0);
        char *sql = sqlite3_mprintf("SELECT rowid, * FROM \"%w\" ORDER BY rowid", name);
        int64_t rows = sql ? compare_rows(left, right, name, sql) : -1;
        sqlite3_free(sql);
        total = rows < 0 ? -1 : total + rows;
    }
    sqlite3_finalize(tables);
    return total;
}

int64_t floor_compare(const char *left, const char *right) {
    sqlite3 *a = NULL, *b = NULL;
    int64_t rows = -1;
    if (sqlite3_open_v2(left, &a, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        && sqlite3_open_v2(right, &b, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
        rows = compare(a, b);
    else
        floor_fail("a store can't be opened to be compared");
    sqlite3_close(a);
    sqlite3_close(b);
    return rows;
}
