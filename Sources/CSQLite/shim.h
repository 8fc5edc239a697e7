#pragma once
// What Swift can't call: sqlite3_config, whose number of arguments varies.
#include <sqlite3.h>
#include <string.h>

// SQLite's own allocator.
static inline sqlite3_mem_methods *rhumb_sqlite_allocator(void) {
    static sqlite3_mem_methods allocator;
    return &allocator;
}

static inline void *rhumb_sqlite_allocate(int size) {
    void *block = rhumb_sqlite_allocator()->xMalloc(size);
    if (block && size >= 32768) memset(block, 0, (size_t)size);
    return block;
}

// Lets SQLite use zeroed memory for blocks of 32 KiB or more. Call it once, before any other function of SQLite.
static inline int rhumb_sqlite_zero_large_blocks(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, rhumb_sqlite_allocator());
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods zeroing = *rhumb_sqlite_allocator();
    zeroing.xMalloc = rhumb_sqlite_allocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &zeroing);
}
