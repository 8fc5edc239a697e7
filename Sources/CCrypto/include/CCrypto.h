#pragma once
#include <stdbool.h>
#include <stddef.h>

// OpenSSL's libcrypto, which libcurl needs anyway. It is loaded for the first signature, so that the start of the program
// doesn't wait for it. Its headers are not needed.

/// Computes the SHA-256 of some bytes. Returns false if libcrypto can't be loaded.
bool rhumb_sha256(const void *bytes, size_t count, unsigned char result[32]);
/// Computes the HMAC-SHA-256 (RFC 2104) of some bytes. Returns false if libcrypto can't be loaded.
bool rhumb_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char result[32]);

/// Starts a SHA-256 of bytes in pieces; null if libcrypto can't be loaded. `rhumb_sha256_end` frees it.
void *rhumb_sha256_begin(void);
void rhumb_sha256_add(void *sum, const void *bytes, size_t count);
void rhumb_sha256_end(void *sum, unsigned char result[32]);
