#include "CDecompression.h"
#include <dlfcn.h>
#include <pthread.h>

static struct {
    void *(*create)(void *, void *, void *);
    int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*destroy)(void *);
} brotli;

typedef struct { const void *bytes; size_t size, position; } zstd_input;
typedef struct { void *bytes; size_t size, position; } zstd_output;

static struct {
    void *(*create)(void);
    size_t (*set_parameter)(void *, int, int);
    size_t (*decompress)(void *, zstd_output *, zstd_input *);
    unsigned (*is_error)(size_t);
    size_t (*destroy)(void *);
} zstd;

// ZSTD_d_windowLogMax, and a window of 32 MiB at most.
enum { ZSTD_WINDOW_LOG_MAX = 100, WINDOW_LOG = 25 };

static bool find_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    brotli.create = (__typeof__(brotli.create))dlsym(library, "BrotliDecoderCreateInstance");
    brotli.decompress = (__typeof__(brotli.decompress))dlsym(library, "BrotliDecoderDecompressStream");
    if (!brotli.create || !brotli.decompress) return false;
    brotli.destroy = (__typeof__(brotli.destroy))dlsym(library, "BrotliDecoderDestroyInstance");
    return brotli.destroy;
}

static bool find_zstd(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    zstd.create = (__typeof__(zstd.create))dlsym(library, "ZSTD_createDCtx");
    zstd.set_parameter = (__typeof__(zstd.set_parameter))dlsym(library, "ZSTD_DCtx_setParameter");
    zstd.decompress = (__typeof__(zstd.decompress))dlsym(library, "ZSTD_decompressStream");
    zstd.is_error = (__typeof__(zstd.is_error))dlsym(library, "ZSTD_isError");
    if (!zstd.create || !zstd.set_parameter || !zstd.decompress || !zstd.is_error) return false;
    zstd.destroy = (__typeof__(zstd.destroy))dlsym(library, "ZSTD_freeDCtx");
    return zstd.destroy;
}

static bool has_brotli, has_zstd;
static void load_brotli(void) { has_brotli = find_brotli(); }
static void load_zstd(void) { has_zstd = find_zstd(); }

bool rhumb_decoder_load(rhumb_method method) {
    static pthread_once_t brotli_once = PTHREAD_ONCE_INIT, zstd_once = PTHREAD_ONCE_INIT;
    if (method == RHUMB_BROTLI) {
        pthread_once(&brotli_once, load_brotli);
        return has_brotli;
    }
    pthread_once(&zstd_once, load_zstd);
    return has_zstd;
}

void *rhumb_decoder_create(rhumb_method method) {
    if (!rhumb_decoder_load(method)) return 0;
    if (method == RHUMB_BROTLI) return brotli.create(0, 0, 0);
    void *decoder = zstd.create();
    if (decoder) zstd.set_parameter(decoder, ZSTD_WINDOW_LOG_MAX, WINDOW_LOG);
    return decoder;
}

rhumb_state rhumb_decoder_step(
    rhumb_method method, void *decoder, const uint8_t **input, size_t *input_count, uint8_t **output,
    size_t *output_count) {
    if (method == RHUMB_BROTLI) {
        // BROTLI_DECODER_RESULT_ERROR, _SUCCESS, _NEEDS_MORE_INPUT, _NEEDS_MORE_OUTPUT.
        static const rhumb_state states[] = {RHUMB_DAMAGED, RHUMB_END, RHUMB_NEEDS_INPUT, RHUMB_NEEDS_OUTPUT};
        return states[brotli.decompress(decoder, input_count, input, output_count, output, 0) & 3];
    }
    zstd_input in = {*input, *input_count, 0};
    zstd_output out = {*output, *output_count, 0};
    // The result is 0 at the end of a frame, which another one may follow.
    size_t rest = zstd.decompress(decoder, &out, &in);
    *input += in.position;
    *input_count -= in.position;
    *output += out.position;
    *output_count -= out.position;
    if (zstd.is_error(rest)) return RHUMB_DAMAGED;
    if (!*output_count && (rest || *input_count)) return RHUMB_NEEDS_OUTPUT;
    if (!rest && !*input_count) return RHUMB_END;
    return *input_count ? RHUMB_NEEDS_OUTPUT : RHUMB_NEEDS_INPUT;
}

void rhumb_decoder_destroy(rhumb_method method, void *decoder) {
    if (method == RHUMB_BROTLI) brotli.destroy(decoder);
    else zstd.destroy(decoder);
}
