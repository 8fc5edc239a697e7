// Loads a library when one of its functions is first needed, because most starts of the program need few of them.
// The file that includes this defines first:
//   LIBRARY    the variable for the functions, such as expat
//   FILE_NAME  the file of the library, such as "libexpat.so.1"
//   PREFIX     the beginning of the functions' names, such as XML_
//   FUNCTIONS  the list of the functions, each as X(name, …)
//   IS_LINKED  if the program contains the library
// `load_library` returns false if the library or one of the functions is missing; any thread may call it.
// `FUNCTION(name)` is a function of a loaded library.
#include <stdbool.h>

#define JOIN_NAMES(prefix, name) prefix##name
#define JOINED(prefix, name) JOIN_NAMES(prefix, name)

#ifdef IS_LINKED
static bool load_library(void) { return true; }
#define FUNCTION(name) JOINED(PREFIX, name)

#else
#include <dlfcn.h>
#include <pthread.h>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

static struct {
#define X(name, ...) __typeof__(&JOINED(PREFIX, name)) name;
    FUNCTIONS(X)
#undef X
} LIBRARY;
#define FUNCTION(name) LIBRARY.name

static bool is_loaded;

static void load_once(void) {
    void *library = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    is_loaded = true;
#define X(name, ...) \
    is_loaded = (LIBRARY.name = (__typeof__(LIBRARY.name))dlsym(library, TEXT(PREFIX) #name)) && is_loaded;
    FUNCTIONS(X)
#undef X
}

static bool load_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_once);
    return is_loaded;
}
#endif
