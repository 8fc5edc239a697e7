#define _GNU_SOURCE
#include "private.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

bool sim_on;
static int64_t now, date;
static uint64_t state;

int64_t sim_now(void) { return now; }
void sim_jump(int64_t nanoseconds) { date += nanoseconds; }
void sim_pass(int64_t nanoseconds) { now += nanoseconds; }

uint64_t sim_random(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// MARK: Clocks and random numbers

int clock_gettime(clockid_t id, struct timespec *out) {
    if (!sim_on || id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, id, out);
    int64_t time = now + (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE ? date : 1000000000);
    out->tv_sec = time / 1000000000;
    out->tv_nsec = time % 1000000000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec value;
    clock_gettime(CLOCK_REALTIME, &value);
    if (out) *out = value.tv_sec;
    return value.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec value;
    clock_gettime(CLOCK_REALTIME, &value);
    out->tv_sec = value.tv_sec;
    out->tv_usec = value.tv_nsec / 1000;
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
    if (!sim_on) return (int)syscall(SYS_nanosleep, time, rest);
    now += time->tv_sec * 1000000000 + time->tv_nsec;
    return 0;
}

int usleep(useconds_t time) {
    struct timespec value = {time / 1000000, time % 1000000 * 1000};
    return nanosleep(&value, NULL);
}

// Swift takes its random numbers from here.
long syscall(long number, ...) {
    static long (*real)(long, ...);
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "syscall");
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
    va_end(rest);
    if (!sim_on || number != SYS_getrandom) return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    for (long at = 0; at < a[1]; at += 8) {
        uint64_t value = sim_random();
        memcpy((char *)a[0] + at, &value, a[1] - at < 8 ? (size_t)(a[1] - at) : 8);
    }
    return a[1];
}

// MARK: Work

typedef struct item {
    struct item *next;
    enum { BLOCK, FUNCTION, JOB } kind;
    void *work, *context;
    int64_t due;
} item;

static item *ready, **last = &ready, *timers;
static int count;

struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(void *, ...);
};
void *_Block_copy(const void *);
void _Block_release(const void *);
extern void swift_job_run(void *job, void *identity, void *implementation) __attribute__((swiftcall));

static item *make(int kind, void *work, void *context, int64_t due) {
    item *made = calloc(1, sizeof *made);
    made->kind = kind;
    made->work = kind == BLOCK ? _Block_copy(work) : work;
    made->context = context;
    made->due = due;
    return made;
}

static void put(item *made) {
    if (made->due > now) {
        item **at = &timers;
        while (*at && (*at)->due <= made->due) at = &(*at)->next;
        made->next = *at;
        *at = made;
        return;
    }
    made->next = NULL;
    *last = made;
    last = &made->next;
    count++;
}

static void run(item *taken) {
    switch (taken->kind) {
    case BLOCK:
        ((struct block *)taken->work)->invoke(taken->work);
        _Block_release(taken->work);
        break;
    case FUNCTION: ((void (*)(void *))taken->work)(taken->context); break;
    case JOB: swift_job_run(taken->work, NULL, NULL); break;
    }
    free(taken);
}

// Tasks run in any order, but blocks in that of their queue.
static item *take(void) {
    item **at = &ready;
    int window = count < 4 ? count : 4;
    for (uint64_t skipped = window > 1 ? sim_random() % (uint64_t)window : 0; skipped; skipped--) at = &(*at)->next;
    if ((*at)->kind != JOB) at = &ready;
    item *taken = *at;
    *at = taken->next;
    if (!taken->next) last = at;
    count--;
    return taken;
}

bool sim_settle(void) {
    for (long steps = 0; steps < 5000000; steps++) {
        while (timers && timers->due <= now) {
            item *due = timers;
            timers = due->next;
            put(due);
        }
        if (ready) run(take());
        else if (!sim_run_threads()) return true;
    }
    return false;
}

bool sim_advance(int64_t limit) {
    int64_t next = sim_thread_deadline();
    if (timers && timers->due < next) next = timers->due;
    if (next > limit) {
        if (now < limit) now = limit;
        return false;
    }
    if (next > now) now = next;
    return true;
}

// MARK: Swift's executor

#define SWIFT __attribute__((swiftcall))
SWIFT static void enqueue(void *job, void *original) {
    (void)original;
    put(make(JOB, job, NULL, 0));
}
SWIFT static void enqueue_later(uint64_t delay, void *job, void *original) {
    (void)original;
    put(make(JOB, job, NULL, now + (int64_t)delay));
}
SWIFT static void enqueue_at(
    int64_t seconds, int64_t rest, int64_t tolerance, int64_t more, int clock, void *job, void *original
) {
    (void)tolerance, (void)more, (void)clock, (void)original;
    // The clocks began a second before the simulation.
    put(make(JOB, job, NULL, seconds * 1000000000 + rest - 1000000000));
}

void sim_begin(uint64_t seed, int64_t seconds) {
    state = seed;
    date = seconds * 1000000000;
    sim_on = true;
    void **hook;
#define HOOK(name, function) \
    if ((hook = dlsym(RTLD_DEFAULT, "swift_task_" name "_hook"))) *hook = (void *)function
    HOOK("enqueueGlobal", enqueue);
    HOOK("enqueueMainExecutor", enqueue);
    HOOK("enqueueGlobalWithDelay", enqueue_later);
    HOOK("enqueueGlobalWithDeadline", enqueue_at);
}

// MARK: Dispatch

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

void dispatch_async(void *queue, void *block) {
    REAL(void, "dispatch_async", void *, void *);
    if (sim_on) put(make(BLOCK, block, NULL, 0));
    else real(queue, block);
}
void dispatch_async_f(void *queue, void *context, void *function) {
    REAL(void, "dispatch_async_f", void *, void *, void *);
    if (sim_on) put(make(FUNCTION, function, context, 0));
    else real(queue, context, function);
}
// Times of Dispatch are those of a clock that began a second before the simulation; a bit tells which one.
static int64_t due(uint64_t when) { return (int64_t)(when & ~(1ULL << 63)) - 1000000000; }

void dispatch_after(uint64_t when, void *queue, void *block) {
    REAL(void, "dispatch_after", uint64_t, void *, void *);
    if (sim_on) put(make(BLOCK, block, NULL, due(when)));
    else real(when, queue, block);
}
void dispatch_after_f(uint64_t when, void *queue, void *context, void *function) {
    REAL(void, "dispatch_after_f", uint64_t, void *, void *, void *);
    if (sim_on) put(make(FUNCTION, function, context, due(when)));
    else real(when, queue, context, function);
}
uint64_t dispatch_time(uint64_t when, int64_t delta) {
    REAL(uint64_t, "dispatch_time", uint64_t, int64_t);
    if (!sim_on || when == UINT64_MAX) return real(when, delta);
    return (when == 0 ? (uint64_t)now + 1000000000 : when) + (uint64_t)delta;
}

static void *look_up(void *handle, const char *name) {
    static void *(*real)(void *, const char *);
    if (!real) real = (__typeof__(real))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!real) real = (__typeof__(real))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    return real(handle, name);
}

// Swift passes jobs to Dispatch by this function, which it looks up by its name.
static void async_job(void *queue, void *job, uintptr_t priority) {
    static void (*real)(void *, void *, uintptr_t);
    if (!real) real = (__typeof__(real))look_up(RTLD_DEFAULT, "dispatch_async_swift_job");
    if (sim_on) put(make(JOB, job, NULL, 0));
    else real(queue, job, priority);
}

void *dlsym(void *restrict handle, const char *restrict name) {
    return strcmp(name, "dispatch_async_swift_job") == 0 ? (void *)async_job : look_up(handle, name);
}

void dispatch_group_async(void *group, void *queue, void *block) {
    REAL(void, "dispatch_group_async", void *, void *, void *);
    if (sim_on) ((struct block *)block)->invoke(block);
    else real(group, queue, block);
}
void dispatch_apply(size_t iterations, void *queue, void *block) {
    REAL(void, "dispatch_apply", size_t, void *, void *);
    if (!sim_on) return real(iterations, queue, block);
    for (size_t index = 0; index < iterations; index++) ((struct block *)block)->invoke(block, index);
}

// MARK: Timers of Swift's tasks

enum { MARK = 0x52687531 };
typedef struct {
    uint64_t mark;
    void *context;
    void (*handler)(void *);
    int64_t due;
} timer;
extern const char _dispatch_source_type_timer[];

static timer *is_timer(void *object) { return ((timer *)object)->mark == MARK ? object : NULL; }

void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
    REAL(void *, "dispatch_source_create", const void *, uintptr_t, uintptr_t, void *);
    if (!sim_on || type != _dispatch_source_type_timer) return real(type, handle, mask, queue);
    timer *made = calloc(1, sizeof *made);
    made->mark = MARK;
    return made;
}
void dispatch_source_set_timer(void *source, uint64_t when, uint64_t interval, uint64_t leeway) {
    REAL(void, "dispatch_source_set_timer", void *, uint64_t, uint64_t, uint64_t);
    if (is_timer(source)) is_timer(source)->due = due(when);
    else real(source, when, interval, leeway);
}
void dispatch_set_context(void *object, void *context) {
    REAL(void, "dispatch_set_context", void *, void *);
    if (is_timer(object)) is_timer(object)->context = context;
    else real(object, context);
}
void dispatch_source_set_event_handler_f(void *source, void *handler) {
    REAL(void, "dispatch_source_set_event_handler_f", void *, void *);
    if (is_timer(source)) is_timer(source)->handler = handler;
    else real(source, handler);
}
void dispatch_activate(void *object) {
    REAL(void, "dispatch_activate", void *);
    timer *it = is_timer(object);
    if (it) put(make(FUNCTION, it->handler, it->context, it->due));
    else real(object);
}
void dispatch_source_cancel(void *source) {
    REAL(void, "dispatch_source_cancel", void *);
    if (!is_timer(source)) real(source);
}
void dispatch_release(void *object) {
    REAL(void, "dispatch_release", void *);
    if (is_timer(object)) free(object);
    else real(object);
}

// MARK: Processes

static pid_t process;

void sim_process(int number) { process = 5000000 + number; }

// Numbers that no process of the system has.
pid_t getpid(void) { return sim_on && process ? process : (pid_t)syscall(SYS_getpid); }
// Would be an item of work on the queue.
void dispatch_queue_set_width(void *queue, long width) {
    REAL(void, "dispatch_queue_set_width", void *, long);
    if (!sim_on) real(queue, width);
}
