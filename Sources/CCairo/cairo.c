#include "CCairo.h"

#define LIBRARY cairo
#define FILE_NAME "libcairo.so.2"
#define PREFIX cairo_
#define FUNCTIONS RHUMB_CAIRO_FUNCTIONS
#ifdef RHUMB_STATIC
// The released program contains Cairo, so that it needs no library to draw its world.
#define IS_LINKED
#endif
#include "../CLinux/loading.h"

bool rhumb_cairo_load(void) { return load_library(); }

#define X(name, type, parameters, arguments) \
    type rhumb_cairo_##name parameters { return FUNCTION(name) arguments; }
FUNCTIONS(X)
