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

// Lets SQLite use zeroed memory for blocks of 32 KiB or more, and allocate the pages of its caches one by one. It
// would otherwise reserve 20 pages for each connection, a third of a megabyte. Call it once, before any other function
// of SQLite.
static inline int rhumb_sqlite_configure(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, rhumb_sqlite_allocator());
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods zeroing = *rhumb_sqlite_allocator();
    zeroing.xMalloc = rhumb_sqlite_allocate;
    code = sqlite3_config(SQLITE_CONFIG_MALLOC, &zeroing);
    return code != SQLITE_OK ? code : sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
