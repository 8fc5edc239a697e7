// A library to preload into a program: it records the changes that the program makes to files below a folder,
// and lets a chosen call fail. Its settings are environment variables:
//
// CRASH_ROOT   the folder
// CRASH_TRACE  the file for the records
// CRASH_FAIL   the number of the call that fails, from 1; none if it is missing
// CRASH_ERROR  the value of errno for that call
// CRASH_LASTS  set if all later calls fail, too
// CRASH_READS  set if reads count as calls that can fail
//
// Calls that fail by themselves are not recorded. A record is a header of eight 32-bit words, then two paths, then data:
// kind, error (0 for a call that succeeded), inode (two words), offset (two words), lengths of the paths
// (16 bits each), and length of the data.
#ifndef CRASH_RECORDER_H
#define CRASH_RECORDER_H

enum crash_record_kind {
    CRASH_CREATE = 1,
    CRASH_WRITE,
    CRASH_TRUNCATE,
    CRASH_SYNC,
    CRASH_SYNC_FOLDER,
    CRASH_RENAME,
    CRASH_UNLINK,
    CRASH_MAKE_FOLDER,
    CRASH_REMOVE_FOLDER,
    CRASH_OUTPUT,
    CRASH_READ,
    // At the end: the number of calls that could have failed, as the offset.
    CRASH_CALLS,
};

#endif
