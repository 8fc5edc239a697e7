#define _GNU_SOURCE
#include "private.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// A change of a file since its last synchronisation: bytes, or a new size if there are none.
typedef struct {
    int64_t offset;
    size_t length;
    uint8_t *bytes;
} change;

typedef struct {
    uint8_t *bytes;
    size_t size;
} contents;

// A file of the recorded folder.
typedef struct {
    ino_t inode;
    char name[64];
    contents durable;
    change *changes;
    int count, room;
} file;

enum { FILES = 64 };
static file files[FILES];
static char root[PATH_MAX];
static int64_t space = -1;
static int faults;

void sim_disk_room(int64_t bytes) { space = bytes; }
void sim_disk_faults(int count) { faults = count; }

static void clear(file *it) {
    for (int i = 0; i < it->count; i++) free(it->changes[i].bytes);
    free(it->changes);
    free(it->durable.bytes);
    memset(it, 0, sizeof *it);
}

void sim_disk(const char *folder) {
    snprintf(root, sizeof root, "%s/", folder);
    for (int i = 0; i < FILES; i++) clear(&files[i]);
}

static file *find(ino_t inode) {
    for (int i = 0; i < FILES; i++)
        if (files[i].inode == inode) return &files[i];
    return NULL;
}

static file *find_open(int descriptor) {
    struct stat facts;
    return sim_on && fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) ? find(facts.st_ino) : NULL;
}

static file *find_name(const char *name) {
    for (int i = 0; i < FILES; i++)
        if (files[i].inode && strcmp(files[i].name, name) == 0) return &files[i];
    return NULL;
}

// The name of a recorded file; NULL for one elsewhere, and for the log's index, which is no file on a disk.
static const char *recorded(const char *path) {
    size_t length = strlen(root), all = strlen(path);
    if (!sim_on || !length || strncmp(path, root, length) != 0 || all - length >= 64) return NULL;
    return all > 4 && strcmp(path + all - 4, "-shm") == 0 ? NULL : path + length;
}

static void apply(contents *to, const change *made) {
    size_t end = (size_t)made->offset + made->length;
    if (!made->bytes ? end != to->size : end > to->size) {
        to->bytes = realloc(to->bytes, end + 1);
        if (end > to->size) memset(to->bytes + to->size, 0, end - to->size);
        to->size = end;
    }
    if (made->bytes) memcpy(to->bytes + made->offset, made->bytes, made->length);
}

static void add(file *it, int64_t offset, const void *bytes, size_t length) {
    if (it->count == it->room) it->changes = realloc(it->changes, (size_t)(it->room = it->room * 2 + 16) * sizeof(change));
    change made = {offset, length, NULL};
    if (bytes) {
        made.bytes = malloc(length + 1);
        memcpy(made.bytes, bytes, length);
    }
    it->changes[it->count++] = made;
}

static void synchronise(file *it) {
    for (int i = 0; i < it->count; i++) {
        apply(&it->durable, &it->changes[i]);
        free(it->changes[i].bytes);
    }
    it->count = 0;
}

void sim_restart(const char *folder, int lost) {
    char place[PATH_MAX];
    for (int i = 0; i < FILES; i++) {
        file *it = &files[i];
        if (!it->inode) continue;
        contents left = {malloc(it->durable.size + 1), it->durable.size};
        memcpy(left.bytes, it->durable.bytes ? it->durable.bytes : (uint8_t *)"", left.size);
        int kept = lost == 0 ? it->count : lost > 100 ? -1 : (int)(sim_random() % (uint64_t)(it->count * lost / 100 + 1));
        if (lost > 0 && lost <= 100) kept = it->count - kept;
        for (int at = 0; at < it->count; at++) {
            change made = it->changes[at];
            if (kept < 0 ? sim_random() % 2 : at < kept) {
                // A write may be torn at the border of a sector.
                if (kept < 0 && made.bytes && made.length > 512 && sim_random() % 4 == 0)
                    made.length = 512 * (sim_random() % (made.length / 512) + 1);
                apply(&left, &made);
            }
        }
        snprintf(place, sizeof place, "%s/%s", folder, it->name);
        int copy = (int)syscall(SYS_openat, AT_FDCWD, place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        for (size_t sent = 0; sent < left.size;) {
            long count = syscall(SYS_write, copy, left.bytes + sent, left.size - sent);
            if (count <= 0) abort();
            sent += (size_t)count;
        }
        struct stat facts;
        fstat(copy, &facts);
        syscall(SYS_close, copy);
        // After a kill, the system still has what was not synchronised.
        if (lost > 0) {
            for (int at = 0; at < it->count; at++) free(it->changes[at].bytes);
            it->count = 0;
            free(it->durable.bytes);
            it->durable = left;
        } else {
            free(left.bytes);
        }
        it->inode = facts.st_ino;
    }
    snprintf(root, sizeof root, "%s/", folder);
}

// MARK: Calls

static int open_file(int folder, const char *path, int flags, mode_t mode) {
    const char *name = recorded(path);
    struct stat facts;
    int is_new = name && flags & O_CREAT && stat(path, &facts) != 0;
    if (is_new && (space == 0 || faults > 0)) {
        if (faults > 0) faults--;
        errno = space == 0 ? ENOSPC : EIO;
        return -1;
    }
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (descriptor < 0 || !name || !(is_new || flags & O_TRUNC)) return descriptor;
    fstat(descriptor, &facts);
    file *it = find(facts.st_ino);
    if (it) add(it, 0, NULL, 0);
    for (int i = 0; !it && i < FILES; i++)
        if (!files[i].inode) it = &files[i];
    if (is_new && it) {
        it->inode = facts.st_ino;
        snprintf(it->name, sizeof it->name, "%s", name);
    }
    return descriptor;
}

#define OPEN(folder) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    } \
    return open_file(folder, path, flags, mode)

int open(const char *path, int flags, ...) { OPEN(AT_FDCWD); }
int open64(const char *path, int flags, ...) { OPEN(AT_FDCWD); }
int openat(int folder, const char *path, int flags, ...) { OPEN(folder); }
int openat64(int folder, const char *path, int flags, ...) { OPEN(folder); }

int unlink(const char *path) {
    const char *name = recorded(path);
    file *it = name ? find_name(name) : NULL;
    int result = (int)syscall(SYS_unlink, path);
    if (result == 0 && it) clear(it);
    return result;
}

int rename(const char *from, const char *to) {
    const char *name = recorded(from), *other = recorded(to);
    int result = (int)syscall(SYS_rename, from, to);
    if (result != 0 || !name) return result;
    file *it = find_name(name), *replaced = other ? find_name(other) : NULL;
    if (replaced) clear(replaced);
    if (it && other) snprintf(it->name, sizeof it->name, "%s", other);
    else if (it) clear(it);
    return result;
}

// Returns the error of a call that changes a file; 0 if it may succeed.
static int failure(file *it, int64_t growth) {
    if (!it) return 0;
    if (faults > 0) return faults--, EIO;
    if (space < 0 || growth <= 0) return 0;
    if (growth > space) return ENOSPC;
    space -= growth;
    return 0;
}

static ssize_t write_file(int descriptor, const void *bytes, size_t length, int64_t offset) {
    file *it = find_open(descriptor);
    if (it) {
        struct stat facts;
        fstat(descriptor, &facts);
        if (offset < 0) offset = fcntl(descriptor, F_GETFL) & O_APPEND ? facts.st_size : lseek(descriptor, 0, SEEK_CUR);
        int code = failure(it, offset + (int64_t)length - facts.st_size);
        if (code) return errno = code, -1;
        lseek(descriptor, offset + (int64_t)length, SEEK_SET);
        ssize_t count = syscall(SYS_pwrite64, descriptor, bytes, length, offset);
        if (count > 0) add(it, offset, bytes, (size_t)count);
        return count;
    }
    return offset < 0 ? syscall(SYS_write, descriptor, bytes, length)
                      : syscall(SYS_pwrite64, descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length) { return write_file(descriptor, bytes, length, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    return write_file(descriptor, bytes, length, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    return write_file(descriptor, bytes, length, offset);
}

static int resize(int descriptor, int64_t size) {
    file *it = find_open(descriptor);
    int code = failure(it, 0), result = code ? -1 : (int)syscall(SYS_ftruncate, descriptor, size);
    if (code) errno = code;
    if (result == 0 && it) add(it, 0, NULL, (size_t)size);
    return result;
}

int ftruncate(int descriptor, off_t size) { return resize(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return resize(descriptor, size); }
int posix_fallocate(int descriptor, off_t offset, off_t length) {
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) return errno;
    return facts.st_size >= offset + length || resize(descriptor, offset + length) == 0 ? 0 : errno;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
    return posix_fallocate(descriptor, offset, length);
}

static int sync_file(int descriptor, long call) {
    file *it = find_open(descriptor);
    if (!it) return (int)syscall(call, descriptor);
    int code = failure(it, 0);
    if (code) return errno = code, -1;
    synchronise(it);
    return 0;
}

int fsync(int descriptor) { return sync_file(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return sync_file(descriptor, SYS_fdatasync); }
