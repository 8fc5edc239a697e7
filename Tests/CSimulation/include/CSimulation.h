#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Replaces the clock, the random numbers, the threads, the network and the disk of this program, so that a
// run depends on its seed only. Until `sim_begin` is called, everything is real.

/// Begins the simulation. From now on everything runs on the calling thread, in an order drawn from the seed.
/// - seconds: The simulated date in seconds since 1970.
void sim_begin(uint64_t seed, int64_t seconds);

/// The simulated time in nanoseconds since the beginning. Never goes back.
int64_t sim_now(void);
/// Sets the date off by some nanoseconds, as users and time servers do.
void sim_jump(int64_t nanoseconds);
/// Runs everything that is ready. Returns false if it doesn't come to rest.
bool sim_settle(void);
/// Advances the time to the next timer, but not beyond a limit. Returns false at the limit.
bool sim_advance(int64_t limit);
/// The next random number.
uint64_t sim_random(void);

// MARK: The network

/// The reply to a request: what its server, or the network in between, makes of it.
typedef struct {
    /// The nanoseconds before the first byte, and those between two pieces of the body.
    int64_t delay, pause;
    /// The status, and the error of curl; 0 for none.
    int status, error;
    /// The header lines, separated by newlines, and the body. Both are freed.
    char *headers;
    uint8_t *body;
    /// The number of its bytes that arrive, and of the pieces in which they do.
    size_t length;
    int pieces;
} sim_reply;

/// Sets the functions that reply to a request, and that learn that it has ended, by itself or by a cancellation.
void sim_serve(
    void (*reply)(const char *url, const char *headers, int number, sim_reply *reply), void (*end)(int number, bool is_done)
);

// MARK: The disk

/// Begins to record what programs write into a folder.
void sim_disk(const char *folder);
/// Makes the files of another folder from those of the recorded one, which is no longer recorded.
/// - lost: The percentage of the writes since the last synchronisation of each file that are lost: 0 after a
///   kill. Above 100, every second write at random and a part of one more.
void sim_restart(const char *folder, int lost);
/// The number of bytes that may still be written before the disk is full; negative for any.
void sim_disk_room(int64_t bytes);
/// The number of writes that fail from now on.
void sim_disk_faults(int count);

/// Sets the number of the program's process, which is another after each restart.
void sim_process(int number);
