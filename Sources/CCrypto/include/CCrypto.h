#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/// Computes the public key of an Ed25519 seed (RFC 8032). Returns false if libcrypto can't be loaded.
bool rhumb_ed25519_public(const unsigned char seed[32], unsigned char result[32]);
/// Signs some bytes with Ed25519. Returns false if libcrypto can't be loaded.
bool rhumb_ed25519_sign(const unsigned char seed[32], const void *bytes, size_t count, unsigned char result[64]);
/// Returns true if an Ed25519 signature is valid; false also if libcrypto can't be loaded.
bool rhumb_ed25519_verify(
    const unsigned char public_key[32], const void *bytes, size_t count, const unsigned char signature[64]);
/// Derives bytes from a passphrase (scrypt, RFC 7914), with at most 2 GiB of memory. Returns false if that is not enough.
bool rhumb_scrypt(
    const char *passphrase, size_t passphrase_count, const unsigned char salt[32], uint64_t n, uint64_t r, uint64_t p,
    unsigned char *result, size_t count);
/// Fills memory with random bytes for keys. Returns false if libcrypto can't be loaded.
bool rhumb_random(unsigned char *result, size_t count);
/// Computes the BLAKE2b hash (RFC 7693) of 1 to 64 bytes. libcrypto has only that of 64 bytes, but minisign's keys need 32.
void rhumb_blake2b(const void *bytes, size_t count, unsigned char *result, size_t length);
