#include "CExpat.h"

#define LIBRARY expat
#define FILE_NAME "libexpat.so.1"
#define PREFIX XML_
#define FUNCTIONS RHUMB_EXPAT_FUNCTIONS
#ifdef RHUMB_STATIC
// The released program contains Expat.
#define IS_LINKED
#endif
#include "../CLinux/loading.h"

bool rhumb_expat_load(void) { return load_library(); }

#define X(name, type, parameters, arguments) \
    type rhumb_expat_##name parameters { return FUNCTION(name) arguments; }
FUNCTIONS(X)
