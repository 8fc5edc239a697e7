#include "CSPNG.h"

#define LIBRARY spng
#define FILE_NAME "libspng.so.0"
#define PREFIX spng_
#define FUNCTIONS RHUMB_SPNG_FUNCTIONS
#include "../CLinux/loading.h"

bool rhumb_spng_load(void) { return load_library(); }

#define X(name, type, parameters, arguments) \
    type rhumb_spng_##name parameters { return FUNCTION(name) arguments; }
FUNCTIONS(X)
