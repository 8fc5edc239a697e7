#include "CCrypto.h"
#include <dlfcn.h>

static struct {
    unsigned char *(*sha256)(const unsigned char *, size_t, unsigned char *);
    unsigned char *(*hmac)(const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned *);
    const void *(*evp_sha256)(void);
} crypto;

// Called more than once at the same time, it stores the same values.
static bool load(void) {
    if (crypto.evp_sha256) return true;
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcrypto.so.1.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    crypto.sha256 = (__typeof__(crypto.sha256))dlsym(library, "SHA256");
    crypto.hmac = (__typeof__(crypto.hmac))dlsym(library, "HMAC");
    if (!crypto.sha256 || !crypto.hmac) return false;
    crypto.evp_sha256 = (__typeof__(crypto.evp_sha256))dlsym(library, "EVP_sha256");
    return crypto.evp_sha256;
}

bool rhumb_sha256(const void *bytes, size_t count, unsigned char result[32]) {
    return load() && crypto.sha256(bytes, count, result);
}

bool rhumb_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char result[32]) {
    return load() && crypto.hmac(crypto.evp_sha256(), key, (int)key_count, bytes, count, result, 0);
}
