#include "CSPNG.h"
#include <dlfcn.h>

static struct {
#define X(type, name, parameters, arguments) __typeof__(&spng_##name) name;
    RHUMB_SPNG_FUNCTIONS(X)
#undef X
} spng;

bool rhumb_spng_load(void) {
    void *library = dlopen("libspng.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    bool has_all = true;
#define X(type, name, parameters, arguments) \
    has_all = (spng.name = (__typeof__(spng.name))dlsym(library, "spng_" #name)) && has_all;
    RHUMB_SPNG_FUNCTIONS(X)
#undef X
    return has_all;
}

#define X(type, name, parameters, arguments) \
    type rhumb_spng_##name parameters { return spng.name arguments; }
RHUMB_SPNG_FUNCTIONS(X)
#undef X
