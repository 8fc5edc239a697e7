// Linked into the programs of `.ci/sanitize`, which passes the folder of the reports as REPORTS.
#include <stdint.h>
#include <unistd.h>

// Tests start programs without the variables of the environment that would set these options.
#define OPTIONS "log_path=" REPORTS "/report exitcode=0"

const char *__tsan_default_options(void) { return OPTIONS; }
const char *__asan_default_options(void) { return OPTIONS " detect_leaks=0 allocator_may_return_null=1"; }

#if __has_feature(thread_sanitizer)
// The compiler puts the uncontended lock of Swift's `Mutex` into the caller, where the sanitizer sees it. A contended
// lock waits in Swift's library, which is not instrumented: each would be reported as a data race. Here it is
// instrumented. It sleeps instead of registering as a waiter, so that the uncontended unlock always suffices.
__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) uint32_t *owner)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) uint32_t *owner) {
    for (;;) {
        uint32_t none = 0;
        if (__atomic_compare_exchange_n(owner, &none, thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
        usleep(50);
    }
}
#endif
