#include "CCrypto.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static struct {
    unsigned char *(*sha256)(const unsigned char *, size_t, unsigned char *);
    unsigned char *(*hmac)(const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned *);
    const void *(*evp_sha256)(void);
    void *(*digest_new)(void);
    int (*digest_init)(void *, const void *, void *);
    int (*digest_update)(void *, const void *, size_t);
    int (*digest_final)(void *, unsigned char *, unsigned *);
    void (*digest_free)(void *);
    void *(*private_key)(int, void *, const unsigned char *, size_t);
    void *(*public_key)(int, void *, const unsigned char *, size_t);
    int (*raw_public_key)(const void *, unsigned char *, size_t *);
    void (*key_free)(void *);
    int (*sign_init)(void *, void *, const void *, void *, void *);
    int (*sign)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
    int (*verify_init)(void *, void *, const void *, void *, void *);
    int (*verify)(void *, const unsigned char *, size_t, const unsigned char *, size_t);
    int (*scrypt)(const char *, size_t, const unsigned char *, size_t, uint64_t, uint64_t, uint64_t, uint64_t,
        unsigned char *, size_t);
    int (*random)(unsigned char *, int);
} crypto;

static bool find_functions(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcrypto.so.1.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    crypto.sha256 = (__typeof__(crypto.sha256))dlsym(library, "SHA256");
    crypto.hmac = (__typeof__(crypto.hmac))dlsym(library, "HMAC");
    crypto.digest_new = (__typeof__(crypto.digest_new))dlsym(library, "EVP_MD_CTX_new");
    crypto.digest_init = (__typeof__(crypto.digest_init))dlsym(library, "EVP_DigestInit_ex");
    crypto.digest_update = (__typeof__(crypto.digest_update))dlsym(library, "EVP_DigestUpdate");
    crypto.digest_final = (__typeof__(crypto.digest_final))dlsym(library, "EVP_DigestFinal_ex");
    crypto.digest_free = (__typeof__(crypto.digest_free))dlsym(library, "EVP_MD_CTX_free");
    crypto.private_key = (__typeof__(crypto.private_key))dlsym(library, "EVP_PKEY_new_raw_private_key");
    crypto.public_key = (__typeof__(crypto.public_key))dlsym(library, "EVP_PKEY_new_raw_public_key");
    crypto.raw_public_key = (__typeof__(crypto.raw_public_key))dlsym(library, "EVP_PKEY_get_raw_public_key");
    crypto.key_free = (__typeof__(crypto.key_free))dlsym(library, "EVP_PKEY_free");
    crypto.sign_init = (__typeof__(crypto.sign_init))dlsym(library, "EVP_DigestSignInit");
    crypto.sign = (__typeof__(crypto.sign))dlsym(library, "EVP_DigestSign");
    crypto.verify_init = (__typeof__(crypto.verify_init))dlsym(library, "EVP_DigestVerifyInit");
    crypto.verify = (__typeof__(crypto.verify))dlsym(library, "EVP_DigestVerify");
    crypto.scrypt = (__typeof__(crypto.scrypt))dlsym(library, "EVP_PBE_scrypt");
    crypto.random = (__typeof__(crypto.random))dlsym(library, "RAND_bytes");
    if (!crypto.private_key || !crypto.public_key || !crypto.raw_public_key || !crypto.key_free || !crypto.sign_init
        || !crypto.sign || !crypto.verify_init || !crypto.verify || !crypto.scrypt || !crypto.random) return false;
    if (!crypto.sha256 || !crypto.hmac || !crypto.digest_new || !crypto.digest_init || !crypto.digest_update
        || !crypto.digest_final || !crypto.digest_free) return false;
    crypto.evp_sha256 = (__typeof__(crypto.evp_sha256))dlsym(library, "EVP_sha256");
    return crypto.evp_sha256;
}

static bool is_loaded;
static void load_once(void) { is_loaded = find_functions(); }

static bool load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_once);
    return is_loaded;
}

bool rhumb_sha256(const void *bytes, size_t count, unsigned char result[32]) {
    return load() && crypto.sha256(bytes, count, result);
}

bool rhumb_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char result[32]) {
    return load() && crypto.hmac(crypto.evp_sha256(), key, (int)key_count, bytes, count, result, 0);
}

void *rhumb_sha256_begin(void) {
    void *sum = load() ? crypto.digest_new() : NULL;
    if (sum && !crypto.digest_init(sum, crypto.evp_sha256(), NULL)) {
        crypto.digest_free(sum);
        return NULL;
    }
    return sum;
}

void rhumb_sha256_add(void *sum, const void *bytes, size_t count) { crypto.digest_update(sum, bytes, count); }

void rhumb_sha256_end(void *sum, unsigned char result[32]) {
    crypto.digest_final(sum, result, NULL);
    crypto.digest_free(sum);
}

// MARK: Signatures

// The number of Ed25519 in OpenSSL's list of objects.
enum { ed25519 = 1087 };

bool rhumb_ed25519_public(const unsigned char seed[32], unsigned char result[32]) {
    size_t count = 32;
    void *key = load() ? crypto.private_key(ed25519, NULL, seed, 32) : NULL;
    bool is_done = key && crypto.raw_public_key(key, result, &count) == 1;
    if (key) crypto.key_free(key);
    return is_done;
}

bool rhumb_ed25519_sign(const unsigned char seed[32], const void *bytes, size_t count, unsigned char result[64]) {
    size_t length = 64;
    void *key = load() ? crypto.private_key(ed25519, NULL, seed, 32) : NULL;
    void *context = key ? crypto.digest_new() : NULL;
    bool is_done = context && crypto.sign_init(context, NULL, NULL, NULL, key) == 1
        && crypto.sign(context, result, &length, bytes, count) == 1 && length == 64;
    if (context) crypto.digest_free(context);
    if (key) crypto.key_free(key);
    return is_done;
}

bool rhumb_ed25519_verify(
    const unsigned char public_key[32], const void *bytes, size_t count, const unsigned char signature[64]
) {
    void *key = load() ? crypto.public_key(ed25519, NULL, public_key, 32) : NULL;
    void *context = key ? crypto.digest_new() : NULL;
    bool is_valid = context && crypto.verify_init(context, NULL, NULL, NULL, key) == 1
        && crypto.verify(context, signature, 64, bytes, count) == 1;
    if (context) crypto.digest_free(context);
    if (key) crypto.key_free(key);
    return is_valid;
}

bool rhumb_scrypt(
    const char *passphrase, size_t passphrase_count, const unsigned char salt[32], uint64_t n, uint64_t r, uint64_t p,
    unsigned char *result, size_t count
) {
    return load() && crypto.scrypt(
        passphrase, passphrase_count, salt, 32, n, r, p, (uint64_t)2 << 30, result, count) == 1;
}

bool rhumb_random(unsigned char *result, size_t count) { return load() && crypto.random(result, (int)count) == 1; }

// MARK: BLAKE2b (RFC 7693)

static const uint64_t blake_start[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
static const unsigned char blake_order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};
static const unsigned char blake_lanes[8][4] = {
    {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
};

static uint64_t turned(uint64_t value, int bits) { return value >> bits | value << (64 - bits); }

static void blake_block(uint64_t state[8], const unsigned char *block, uint64_t count, bool is_last) {
    uint64_t work[16], words[16];
    // Every platform of the program is little-endian.
    memcpy(words, block, 128);
    memcpy(work, state, 64);
    memcpy(work + 8, blake_start, 64);
    work[12] ^= count;
    if (is_last) work[14] = ~work[14];
    for (int round = 0; round < 12; round++) {
        const unsigned char *order = blake_order[round % 10];
        for (int lane = 0; lane < 8; lane++) {
            uint64_t *a = work + blake_lanes[lane][0], *b = work + blake_lanes[lane][1];
            uint64_t *c = work + blake_lanes[lane][2], *d = work + blake_lanes[lane][3];
            *a += *b + words[order[2 * lane]];
            *d = turned(*d ^ *a, 32);
            *c += *d;
            *b = turned(*b ^ *c, 24);
            *a += *b + words[order[2 * lane + 1]];
            *d = turned(*d ^ *a, 16);
            *c += *d;
            *b = turned(*b ^ *c, 63);
        }
    }
    for (int at = 0; at < 8; at++) state[at] ^= work[at] ^ work[at + 8];
}

void rhumb_blake2b(const void *bytes, size_t count, unsigned char *result, size_t length) {
    uint64_t state[8];
    const unsigned char *next = bytes;
    unsigned char last[128] = {0};
    size_t done = 0;
    memcpy(state, blake_start, sizeof state);
    state[0] ^= 0x01010000 ^ length;
    for (; count - done > 128; done += 128) blake_block(state, next + done, done + 128, false);
    if (count > done) memcpy(last, next + done, count - done);
    blake_block(state, last, count, true);
    memcpy(result, state, length);
}
