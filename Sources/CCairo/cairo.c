#include "CCairo.h"

#ifdef RHUMB_STATIC
// The released program contains Cairo, so that it needs no library to draw its world.
bool rhumb_cairo_load(void) { return true; }

#define X(type, name, parameters, arguments) \
    type rhumb_cairo_##name parameters { return cairo_##name arguments; }
RHUMB_CAIRO_FUNCTIONS(X)
#undef X

#else
#include <dlfcn.h>

static struct {
#define X(type, name, parameters, arguments) __typeof__(&cairo_##name) name;
    RHUMB_CAIRO_FUNCTIONS(X)
#undef X
} cairo;

bool rhumb_cairo_load(void) {
    void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    bool has_all = true;
#define X(type, name, parameters, arguments) \
    has_all = (cairo.name = (__typeof__(cairo.name))dlsym(library, "cairo_" #name)) && has_all;
    RHUMB_CAIRO_FUNCTIONS(X)
#undef X
    return has_all;
}

#define X(type, name, parameters, arguments) \
    type rhumb_cairo_##name parameters { return cairo.name arguments; }
RHUMB_CAIRO_FUNCTIONS(X)
#undef X
#endif
