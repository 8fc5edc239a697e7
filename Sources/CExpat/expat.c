#include "CExpat.h"

#ifdef RHUMB_STATIC
// The released program contains Expat.
bool rhumb_expat_load(void) { return true; }

#define X(type, name, parameters, arguments) \
    type rhumb_expat_##name parameters { return XML_##name arguments; }
RHUMB_EXPAT_FUNCTIONS(X)
#undef X

#else
#include <dlfcn.h>

static struct {
#define X(type, name, parameters, arguments) __typeof__(&XML_##name) name;
    RHUMB_EXPAT_FUNCTIONS(X)
#undef X
} expat;

bool rhumb_expat_load(void) {
    if (expat.UseForeignDTD) return true;
    void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    bool has_all = true;
#define X(type, name, parameters, arguments) \
    has_all = (expat.name = (__typeof__(expat.name))dlsym(library, "XML_" #name)) && has_all;
    RHUMB_EXPAT_FUNCTIONS(X)
#undef X
    return has_all;
}

#define X(type, name, parameters, arguments) \
    type rhumb_expat_##name parameters { return expat.name arguments; }
RHUMB_EXPAT_FUNCTIONS(X)
#undef X
#endif
