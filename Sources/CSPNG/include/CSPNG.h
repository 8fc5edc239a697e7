#pragma once
#include <spng.h>
#include <stdbool.h>

// libspng has no archive to link, so it is loaded for the first PNG. Its headers come with libspng-dev.

/// Loads libspng. No other function of this header may be called before, or if it returned false.
bool rhumb_spng_load(void);

// The functions of libspng: name after "spng_", result, parameters, arguments.
#define RHUMB_SPNG_FUNCTIONS(X) \
    X(ctx_free, void, (spng_ctx *context), (context)) \
    X(ctx_new, spng_ctx *, (int flags), (flags)) \
    X(decode_chunks, int, (spng_ctx *context), (context)) \
    X(decode_image, int, (spng_ctx *context, void *bytes, size_t count, int format, int flags), \
      (context, bytes, count, format, flags)) \
    X(encode_image, int, (spng_ctx *context, const void *bytes, size_t count, int format, int flags), \
      (context, bytes, count, format, flags)) \
    X(get_ihdr, int, (spng_ctx *context, struct spng_ihdr *header), (context, header)) \
    X(get_png_buffer, void *, (spng_ctx *context, size_t *count, int *error), (context, count, error)) \
    X(set_chunk_limits, int, (spng_ctx *context, size_t chunk, size_t cache), (context, chunk, cache)) \
    X(set_crc_action, int, (spng_ctx *context, int critical, int ancillary), (context, critical, ancillary)) \
    X(set_ihdr, int, (spng_ctx *context, struct spng_ihdr *header), (context, header)) \
    X(set_option, int, (spng_ctx *context, enum spng_option option, int value), (context, option, value)) \
    X(set_plte, int, (spng_ctx *context, struct spng_plte *palette), (context, palette)) \
    X(set_png_buffer, int, (spng_ctx *context, const void *bytes, size_t count), (context, bytes, count)) \
    X(strerror, const char *, (int code), (code))

#define X(name, type, parameters, arguments) type rhumb_spng_##name parameters;
RHUMB_SPNG_FUNCTIONS(X)
#undef X
