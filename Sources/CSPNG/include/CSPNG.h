#pragma once
#include <spng.h>
#include <stdbool.h>

// libspng has no archive to link, so it is loaded for the first PNG. Its headers come with libspng-dev.

/// Loads libspng. No other function of this header may be called before, or if it returned false.
bool rhumb_spng_load(void);

// The functions of libspng: result, name after "spng_", parameters, arguments.
#define RHUMB_SPNG_FUNCTIONS(X) \
    X(void, ctx_free, (spng_ctx *context), (context)) \
    X(spng_ctx *, ctx_new, (int flags), (flags)) \
    X(int, decode_chunks, (spng_ctx *context), (context)) \
    X(int, decode_image, (spng_ctx *context, void *bytes, size_t count, int format, int flags), \
      (context, bytes, count, format, flags)) \
    X(int, encode_image, (spng_ctx *context, const void *bytes, size_t count, int format, int flags), \
      (context, bytes, count, format, flags)) \
    X(int, get_ihdr, (spng_ctx *context, struct spng_ihdr *header), (context, header)) \
    X(void *, get_png_buffer, (spng_ctx *context, size_t *count, int *error), (context, count, error)) \
    X(int, set_chunk_limits, (spng_ctx *context, size_t chunk, size_t cache), (context, chunk, cache)) \
    X(int, set_crc_action, (spng_ctx *context, int critical, int ancillary), (context, critical, ancillary)) \
    X(int, set_ihdr, (spng_ctx *context, struct spng_ihdr *header), (context, header)) \
    X(int, set_option, (spng_ctx *context, enum spng_option option, int value), (context, option, value)) \
    X(int, set_plte, (spng_ctx *context, struct spng_plte *palette), (context, palette)) \
    X(int, set_png_buffer, (spng_ctx *context, const void *bytes, size_t count), (context, bytes, count)) \
    X(const char *, strerror, (int code), (code))

#define X(type, name, parameters, arguments) type rhumb_spng_##name parameters;
RHUMB_SPNG_FUNCTIONS(X)
#undef X
