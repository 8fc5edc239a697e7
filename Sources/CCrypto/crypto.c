#include "CCrypto.h"
#include <dlfcn.h>

static struct {
    unsigned char *(*sha256)(const unsigned char *, size_t, unsigned char *);
    unsigned char *(*hmac)(const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned *);
    const void *(*evp_sha256)(void);
    void *(*digest_new)(void);
    int (*digest_init)(void *, const void *, void *);
    int (*digest_update)(void *, const void *, size_t);
    int (*digest_final)(void *, unsigned char *, unsigned *);
    void (*digest_free)(void *);
} crypto;

// Called more than once at the same time, it stores the same values.
static bool load(void) {
    if (crypto.evp_sha256) return true;
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
    if (!crypto.sha256 || !crypto.hmac || !crypto.digest_new || !crypto.digest_init || !crypto.digest_update
        || !crypto.digest_final || !crypto.digest_free) return false;
    crypto.evp_sha256 = (__typeof__(crypto.evp_sha256))dlsym(library, "EVP_sha256");
    return crypto.evp_sha256;
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
