#include "CExpat.h"
#include <errno.h>
#include <iconv.h>
#include <wchar.h>

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

enum { INVALID = -1, INCOMPLETE = -2, REPLACEMENT = 0xFFFD };

/// Returns the character of some bytes, or one of the constants above.
static int character(iconv_t decoder, const char *bytes, size_t count) {
    wchar_t result;
    char *input = (char *)bytes, *output = (char *)&result;
    size_t room = sizeof result;
    iconv(decoder, NULL, NULL, NULL, NULL);
    if (iconv(decoder, &input, &count, &output, &room) == (size_t)-1) return errno == EINVAL ? INCOMPLETE : INVALID;
    // A letter may be held back, because an accent could follow.
    if (room) iconv(decoder, NULL, NULL, &output, &room);
    return count == 0 && room == 0 ? (int)result : INVALID;
}

static int pair(void *decoder, const char *bytes) { return character((iconv_t)decoder, bytes, 2); }
static void release(void *decoder) { iconv_close((iconv_t)decoder); }

bool rhumb_expat_describe(const XML_Char *encoding, XML_Encoding *description) {
    iconv_t decoder = iconv_open("WCHAR_T", encoding);
    if (decoder == (iconv_t)-1) return false;
    bool is_ascii = true, has_pairs = false;
    for (int byte = 0; byte < 256; byte++) {
        char only = (char)byte;
        description->map[byte] = character(decoder, &only, 1);
        // Japanese encodings have other signs in these two places.
        if (byte < 0x80 && byte != '\\' && byte != '~') is_ascii = is_ascii && description->map[byte] == byte;
        has_pairs = has_pairs || description->map[byte] == INCOMPLETE;
    }
    // Encodings that switch between states change the meaning of ASCII's bytes.
    if (!is_ascii) {
        iconv_close(decoder);
        return false;
    }
    // Files in encodings of single bytes often contain a few bytes that the encoding lacks.
    for (int byte = 0x80; byte < 256 && !has_pairs; byte++)
        if (description->map[byte] == INVALID) description->map[byte] = REPLACEMENT;
    description->data = decoder;
    description->convert = has_pairs ? pair : NULL;
    description->release = release;
    return true;
}
