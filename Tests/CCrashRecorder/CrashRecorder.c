#define _GNU_SOURCE
#include "CrashRecorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static char root[4096];
static size_t root_length;
static long calls, failing, error = EIO, lasts, reads;

__attribute__((constructor)) static void start(void) {
    const char *folder = getenv("CRASH_ROOT"), *file = getenv("CRASH_TRACE"), *value;
    if (!folder || !file || !realpath(folder, root)) return;
    root_length = strlen(root);
    trace = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if ((value = getenv("CRASH_FAIL"))) failing = atol(value);
    if ((value = getenv("CRASH_ERROR"))) error = atol(value);
    lasts = getenv("CRASH_LASTS") != NULL;
    reads = getenv("CRASH_READS") != NULL;
}

static void put(
    uint32_t kind, int failure, uint64_t inode, uint64_t offset, const char *path, const char *other,
    const void *data, size_t length
) {
    size_t first = path ? strlen(path) : 0, second = other ? strlen(other) : 0;
    uint32_t head[8] = {
        kind, (uint32_t)failure, (uint32_t)inode, (uint32_t)(inode >> 32), (uint32_t)offset,
        (uint32_t)(offset >> 32), (uint32_t)(first | second << 16), (uint32_t)length,
    };
    struct iovec parts[4] = {
        {head, sizeof head}, {(void *)path, first}, {(void *)other, second}, {(void *)data, length},
    };
    syscall(SYS_writev, trace, parts, 4);
}

static int is_below(const char *path) {
    return trace >= 0 && strncmp(path, root, root_length) == 0
        && (path[root_length] == '/' || path[root_length] == 0);
}

// The absolute path of a file that may not exist; 0 if it is outside the folder.
static int whole(int folder, const char *path, char out[4096]) {
    if (trace < 0 || !path) return 0;
    if (path[0] == '/') {
        snprintf(out, 4096, "%s", path);
    } else {
        char base[4096];
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t count = readlink(link, base, sizeof base - 1);
            if (count < 0) return 0;
            base[count] = 0;
        }
        if (snprintf(out, 4096, "%s/%s", base, path) >= 4096) return 0;
    }
    for (size_t end = strlen(out); end > 1 && out[end - 1] == '/'; end--) out[end - 1] = 0;
    return is_below(out);
}

// The path of an open file; 0 if it is outside the folder.
static int path_of(int file, char out[4096]) {
    if (trace < 0 || file == trace) return 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, out, 4095);
    if (count < 0) return 0;
    out[count] = 0;
    return is_below(out);
}

static uint64_t inode_of(int file, int *is_folder) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return 0;
    if (is_folder) *is_folder = S_ISDIR(facts.st_mode);
    return facts.st_ino;
}

// Counts a call that can fail. Returns true if this one does, with errno set.
static int fails(void) {
    calls++;
    if (!failing || calls < failing || (calls > failing && !lasts)) return 0;
    errno = (int)error;
    return 1;
}


__attribute__((destructor)) static void end(void) {
    if (trace >= 0) put(CRASH_CALLS, 0, 0, (uint64_t)calls, NULL, NULL, NULL, 0);
}

// MARK: Names

static int open_recorded(int folder, const char *path, int flags, mode_t mode) {
    char place[4096];
    if (!whole(folder, path, place) || (flags & O_ACCMODE) == O_RDONLY)
        return (int)syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat facts;
    int was_there = stat(place, &facts) == 0, failed = fails();
    int file = failed ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode), code = errno;
    if (failed) {
        put(CRASH_CREATE, code, 0, 0, place, NULL, NULL, 0);
    } else if (file >= 0 && !was_there) {
        put(CRASH_CREATE, 0, inode_of(file, NULL), 0, place, NULL, NULL, 0);
    } else if (file >= 0 && flags & O_TRUNC) {
        put(CRASH_TRUNCATE, 0, inode_of(file, NULL), 0, place, NULL, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = code;
    return file;
}

#define OPEN(folder) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    } \
    return open_recorded(folder, path, flags, mode)

EXPORT int open(const char *path, int flags, ...) { OPEN(AT_FDCWD); }
EXPORT int open64(const char *path, int flags, ...) { OPEN(AT_FDCWD); }
EXPORT int openat(int folder, const char *path, int flags, ...) { OPEN(folder); }
EXPORT int openat64(int folder, const char *path, int flags, ...) { OPEN(folder); }

EXPORT int rename(const char *from, const char *to) {
    char a[4096], b[4096];
    if (!whole(AT_FDCWD, from, a) || !whole(AT_FDCWD, to, b)) return (int)syscall(SYS_rename, from, to);
    pthread_mutex_lock(&lock);
    int failed = fails(), result = failed ? -1 : (int)syscall(SYS_rename, from, to), code = errno;
    if (failed || result == 0) put(CRASH_RENAME, failed ? code : 0, 0, 0, a, b, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}

static int named(uint32_t kind, const char *path, long number, mode_t mode) {
    char place[4096];
    if (!whole(AT_FDCWD, path, place)) return (int)syscall(number, path, mode);
    pthread_mutex_lock(&lock);
    int failed = fails(), result = failed ? -1 : (int)syscall(number, path, mode), code = errno;
    if (failed || result == 0) put(kind, failed ? code : 0, 0, 0, place, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}

EXPORT int unlink(const char *path) { return named(CRASH_UNLINK, path, SYS_unlink, 0); }
EXPORT int rmdir(const char *path) { return named(CRASH_REMOVE_FOLDER, path, SYS_rmdir, 0); }
EXPORT int mkdir(const char *path, mode_t mode) { return named(CRASH_MAKE_FOLDER, path, SYS_mkdir, mode); }

// MARK: Contents

static ssize_t write_recorded(int file, const void *data, size_t length, int64_t offset) {
    char place[4096];
    int is_output = trace >= 0 && (file == 1 || file == 2), is_file = path_of(file, place);
    if (!is_output && !is_file)
        return offset < 0 ? syscall(SYS_write, file, data, length)
                          : syscall(SYS_pwrite64, file, data, length, offset);
    pthread_mutex_lock(&lock);
    ssize_t result = -1;
    int failed = is_file && fails();
    if (!failed) {
        int64_t at = offset;
        // Where the write goes: the end of the file, or the current position.
        if (is_file && offset < 0) {
            struct stat facts;
            at = fcntl(file, F_GETFL) & O_APPEND && fstat(file, &facts) == 0 ? facts.st_size
                                                                             : lseek(file, 0, SEEK_CUR);
        }
        result = offset < 0 ? syscall(SYS_write, file, data, length)
                            : syscall(SYS_pwrite64, file, data, length, offset);
        if (result > 0)
            put(is_file ? CRASH_WRITE : CRASH_OUTPUT, 0, is_file ? inode_of(file, NULL) : (uint64_t)file,
                (uint64_t)at, NULL, NULL, data, (size_t)result);
    }
    int code = errno;
    if (failed) put(CRASH_WRITE, code, 0, 0, place, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}

EXPORT ssize_t write(int file, const void *data, size_t length) {
    return write_recorded(file, data, length, -1);
}
EXPORT ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return write_recorded(file, data, length, offset);
}
EXPORT ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    return write_recorded(file, data, length, offset);
}

static int truncate_recorded(int file, int64_t size) {
    char place[4096];
    if (!path_of(file, place)) return (int)syscall(SYS_ftruncate, file, size);
    pthread_mutex_lock(&lock);
    int failed = fails(), result = failed ? -1 : (int)syscall(SYS_ftruncate, file, size), code = errno;
    if (failed || result == 0) put(CRASH_TRUNCATE, failed ? code : 0, inode_of(file, NULL), (uint64_t)size, place, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}

EXPORT int ftruncate(int file, off_t size) { return truncate_recorded(file, size); }
EXPORT int ftruncate64(int file, off64_t size) { return truncate_recorded(file, size); }

static int sync_recorded(int file, long number) {
    char place[4096];
    if (!path_of(file, place)) return (int)syscall(number, file);
    pthread_mutex_lock(&lock);
    int is_folder = 0;
    uint64_t inode = inode_of(file, &is_folder);
    int result = fails() ? -1 : 0, code = errno;
    put(is_folder ? CRASH_SYNC_FOLDER : CRASH_SYNC, result ? code : 0, inode, 0, place, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}

EXPORT int fsync(int file) { return sync_recorded(file, SYS_fsync); }
EXPORT int fdatasync(int file) { return sync_recorded(file, SYS_fdatasync); }

static ssize_t read_recorded(int file, void *data, size_t length, int64_t offset) {
    char place[4096];
    if (reads && path_of(file, place)) {
        pthread_mutex_lock(&lock);
        int failed = fails(), code = errno;
        if (failed) put(CRASH_READ, code, 0, 0, place, NULL, NULL, 0);
        pthread_mutex_unlock(&lock);
        errno = code;
        if (failed) return -1;
    }
    return offset < 0 ? syscall(SYS_read, file, data, length)
                      : syscall(SYS_pread64, file, data, length, offset);
}

EXPORT ssize_t read(int file, void *data, size_t length) { return read_recorded(file, data, length, -1); }
EXPORT ssize_t pread(int file, void *data, size_t length, off_t offset) {
    return read_recorded(file, data, length, offset);
}
EXPORT ssize_t pread64(int file, void *data, size_t length, off64_t offset) {
    return read_recorded(file, data, length, offset);
}

// Space is reserved as zeros.
static int allocate_recorded(int file, int64_t size) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return errno;
    return facts.st_size >= size || truncate_recorded(file, size) == 0 ? 0 : errno;
}

EXPORT int posix_fallocate(int file, off_t offset, off_t length) {
    return allocate_recorded(file, offset + length);
}
EXPORT int posix_fallocate64(int file, off64_t offset, off64_t length) {
    return allocate_recorded(file, offset + length);
}
