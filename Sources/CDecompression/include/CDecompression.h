#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The decoders of Brotli (RFC 7932) in libbrotlidec and of Zstandard (RFC 8878) in libzstd. Each library is loaded for
// the first data that needs it, because few archives do. Their headers are not needed.

typedef enum { RHUMB_BROTLI, RHUMB_ZSTD } rhumb_method;
typedef enum { RHUMB_END, RHUMB_NEEDS_INPUT, RHUMB_NEEDS_OUTPUT, RHUMB_DAMAGED } rhumb_state;

/// Loads the library of a method. Returns false if it can't be loaded.
bool rhumb_decoder_load(rhumb_method method);
/// Creates a decoder. Returns null if the library can't be loaded, or without memory.
void *rhumb_decoder_create(rhumb_method method);
/// Decodes as much as possible, and advances the input and the output.
rhumb_state rhumb_decoder_step(
    rhumb_method method, void *decoder, const uint8_t **input, size_t *input_count, uint8_t **output,
    size_t *output_count);
/// Releases a decoder.
void rhumb_decoder_destroy(rhumb_method method, void *decoder);
