#define _GNU_SOURCE
#include "CHTTPCodings.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: The interfaces of the libraries

// zlib.h
typedef struct {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

enum { Z_NO_FLUSH = 0, Z_SYNC_FLUSH = 2, Z_FINISH = 4 };
enum { Z_OK = 0, Z_STREAM_END = 1, Z_NEED_DICT = 2, Z_BUF_ERROR = -5 };
enum { Z_DEFLATED = 8, Z_DEFAULT_LEVEL = 6, Z_MEMORY_LEVEL = 8, Z_WINDOW = 15, Z_GZIP = 16 };
static const char zlib_version[] = "1";

static struct {
    int (*inflateInit2_)(z_stream *, int, const char *, int);
    int (*inflate)(z_stream *, int);
    int (*inflateReset)(z_stream *);
    int (*inflateEnd)(z_stream *);
} zlib_decoder;

static struct {
    int (*deflateInit2_)(z_stream *, int, int, int, int, int, const char *, int);
    int (*deflate)(z_stream *, int);
    int (*deflateEnd)(z_stream *);
} zlib_encoder;

// brotli/decode.h, brotli/encode.h
typedef void *(*brotli_allocator)(void *, size_t);
enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };
enum { BROTLI_PROCESS = 0, BROTLI_FLUSH = 1, BROTLI_FINISH = 2 };
enum { BROTLI_QUALITY = 1, BROTLI_DEFAULT_QUALITY = 5 };

static struct {
    void *(*create)(brotli_allocator, void *, void *);
    int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    int (*errorCode)(const void *);
    const char *(*errorString)(int);
    void (*destroy)(void *);
} brotli_decoder;

static struct {
    void *(*create)(brotli_allocator, void *, void *);
    int (*setParameter)(void *, int, uint32_t);
    int (*compress)(void *, int, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    int (*hasMoreOutput)(void *);
    int (*isFinished)(void *);
    void (*destroy)(void *);
} brotli_encoder;

// zstd.h
typedef struct {
    const void *bytes;
    size_t count, position;
} zstd_input;
typedef struct {
    void *bytes;
    size_t count, position;
} zstd_output;
enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_CHECKSUM = 201, ZSTD_RESET_SESSION = 1 };
enum { ZSTD_CONTINUE = 0, ZSTD_FLUSH = 1, ZSTD_END = 2 };
// 16 MiB, as for brotli. RFC 9659 asks decoders to take 8 MiB, and encoders not to exceed that.
enum { ZSTD_WINDOW_LOG = 24 };

static struct {
    unsigned (*isError)(size_t);
    const char *(*errorName)(size_t);
    void *(*createDCtx)(void);
    size_t (*setDecoding)(void *, int, int);
    size_t (*decompress)(void *, zstd_output *, zstd_input *);
    size_t (*resetDCtx)(void *, int);
    size_t (*freeDCtx)(void *);
} zstd_decoder;

static struct {
    void *(*createCCtx)(void);
    size_t (*setEncoding)(void *, int, int);
    size_t (*compress)(void *, zstd_output *, zstd_input *, int);
    size_t (*freeCCtx)(void *);
} zstd_encoder;

// MARK: The look-up

// Sets the pointers of a struct of functions, if all of them are found in one place. Their names
// are in the struct's order, each with a NUL after it, and one more at the end.
__attribute__((cold, noinline)) static int resolve(
    void *library, const char *names, void *functions) {
    for (const char *name = names; *name; name += strlen(name) + 1)
        if (!dlsym(library, name)) return 0;
    char *place = functions;
    for (const char *name = names; *name; name += strlen(name) + 1) {
        void *address = dlsym(library, name);
        memcpy(place, &address, sizeof address);
        place += sizeof address;
    }
    return 1;
}

__attribute__((cold, noinline)) static int open_first(
    const char *const *libraries, int flag, const char *names, void *functions) {
    for (const char *const *name = libraries; *name; name++) {
        void *library = dlopen(*name, RTLD_NOW | RTLD_LOCAL | flag);
        if (library && resolve(library, names, functions)) return 1;
        if (library) dlclose(library);
    }
    return 0;
}

// Looks for the library that is loaded under its name, for functions that are part of the program,
// and for a library to load, in this order: a function of the program that only bears the same name
// is not taken where the library is loaded. What is found stays loaded.
__attribute__((cold, noinline)) static int find(
    const char *const *libraries, const char *names, void *functions) {
    return open_first(libraries, RTLD_NOLOAD, names, functions)
        || resolve(RTLD_DEFAULT, names, functions) || open_first(libraries, 0, names, functions);
}

#ifdef __APPLE__
#define LIBRARIES(elf, macho) \
    (const char *const[]) { \
        macho, "/usr/lib/" macho, "/usr/local/lib/" macho, "/opt/homebrew/lib/" macho, NULL \
    }
#else
#define LIBRARIES(elf, macho) (const char *const[]) { elf, NULL }
#endif

static struct {
    int inflate, deflate, brotli_decoder, brotli_encoder, zstd_decoder, zstd_encoder;
} found;

__attribute__((cold)) static void look(void) {
    const char *const *libraries = LIBRARIES("libz.so.1", "libz.1.dylib");
    found.inflate = find(
        libraries, "inflateInit2_\0inflate\0inflateReset\0inflateEnd\0", &zlib_decoder);
    found.deflate = find(libraries, "deflateInit2_\0deflate\0deflateEnd\0", &zlib_encoder);
    found.brotli_decoder = find(
        LIBRARIES("libbrotlidec.so.1", "libbrotlidec.1.dylib"),
        "BrotliDecoderCreateInstance\0BrotliDecoderDecompressStream\0BrotliDecoderGetErrorCode\0"
        "BrotliDecoderErrorString\0BrotliDecoderDestroyInstance\0",
        &brotli_decoder);
    libraries = LIBRARIES("libzstd.so.1", "libzstd.1.dylib");
    found.zstd_decoder = find(
        libraries,
        "ZSTD_isError\0ZSTD_getErrorName\0ZSTD_createDCtx\0ZSTD_DCtx_setParameter\0"
        "ZSTD_decompressStream\0ZSTD_DCtx_reset\0ZSTD_freeDCtx\0",
        &zstd_decoder);
    found.zstd_encoder = found.zstd_decoder && find(
        libraries,
        "ZSTD_createCCtx\0ZSTD_CCtx_setParameter\0ZSTD_compressStream2\0ZSTD_freeCCtx\0",
        &zstd_encoder);
}

// libcurl does not bring brotli's encoder.
__attribute__((cold)) static void look_for_brotli_encoder(void) {
    found.brotli_encoder = find(
        LIBRARIES("libbrotlienc.so.1", "libbrotlienc.1.dylib"),
        "BrotliEncoderCreateInstance\0BrotliEncoderSetParameter\0BrotliEncoderCompressStream\0"
        "BrotliEncoderHasMoreOutput\0BrotliEncoderIsFinished\0BrotliEncoderDestroyInstance\0",
        &brotli_encoder);
}

static void look_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
}

int chttp_can_decode(chttp_format format) {
    look_once();
    switch (format) {
    case CHTTP_FORMAT_BROTLI: return found.brotli_decoder;
    case CHTTP_FORMAT_ZSTD: return found.zstd_decoder;
    default: return found.inflate;
    }
}

int chttp_can_encode(chttp_format format) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    look_once();
    switch (format) {
    case CHTTP_FORMAT_BROTLI:
        pthread_once(&once, look_for_brotli_encoder);
        return found.brotli_encoder;
    case CHTTP_FORMAT_ZSTD: return found.zstd_encoder;
    default: return found.deflate;
    }
}

// MARK: Decoding

struct chttp_decoder {
    chttp_format format;
    void *state;  // of brotli and zstd
    z_stream zlib;
};

static int window_bits(chttp_format format) {
    switch (format) {
    case CHTTP_FORMAT_GZIP: return Z_WINDOW + Z_GZIP;
    case CHTTP_FORMAT_DEFLATE: return -Z_WINDOW;
    default: return Z_WINDOW;
    }
}

chttp_decoder *chttp_decoder_make(chttp_format format) {
    if (!chttp_can_decode(format)) return NULL;
    chttp_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    int made;
    switch (format) {
    case CHTTP_FORMAT_BROTLI:
        decoder->state = brotli_decoder.create(NULL, NULL, NULL);
        made = decoder->state != NULL;
        break;
    case CHTTP_FORMAT_ZSTD:
        decoder->state = zstd_decoder.createDCtx();
        made = decoder->state != NULL
            && !zstd_decoder.isError(
                zstd_decoder.setDecoding(decoder->state, ZSTD_WINDOW_LOG_MAX, ZSTD_WINDOW_LOG));
        break;
    default:
        made = zlib_decoder.inflateInit2_(
                   &decoder->zlib, window_bits(format), zlib_version, sizeof decoder->zlib) == Z_OK;
    }
    if (made) return decoder;
    if (format == CHTTP_FORMAT_ZSTD && decoder->state) zstd_decoder.freeDCtx(decoder->state);
    free(decoder);
    return NULL;
}

static unsigned int clamped(size_t count) {
    return count > UINT_MAX ? UINT_MAX : (unsigned int)count;
}

static chttp_coding_step inflated(
    chttp_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output,
    size_t output_count) {
    z_stream *stream = &decoder->zlib;
    unsigned int in = clamped(input_count), out = clamped(output_count);
    stream->next_in = input, stream->avail_in = in;
    stream->next_out = output, stream->avail_out = out;
    int code = zlib_decoder.inflate(stream, Z_NO_FLUSH);
    chttp_coding_step step = {
        .status = code == Z_OK || code == Z_BUF_ERROR ? CHTTP_CODING_MORE
            : code == Z_STREAM_END ? CHTTP_CODING_END : CHTTP_CODING_BROKEN,
        .consumed = in - stream->avail_in,
        .produced = out - stream->avail_out,
    };
    if (step.status == CHTTP_CODING_BROKEN)
        step.reason = code == Z_NEED_DICT ? "it needs a dictionary" : stream->msg;
    return step;
}

static chttp_coding_step unbrotlied(
    chttp_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output,
    size_t output_count) {
    size_t in = input_count, out = output_count;
    int code = brotli_decoder.decompress(decoder->state, &in, &input, &out, &output, NULL);
    chttp_coding_step step = {
        .status = code == BROTLI_ERROR ? CHTTP_CODING_BROKEN
            : code == BROTLI_SUCCESS ? CHTTP_CODING_END : CHTTP_CODING_MORE,
        .consumed = input_count - in,
        .produced = output_count - out,
    };
    if (code == BROTLI_ERROR)
        step.reason = brotli_decoder.errorString(brotli_decoder.errorCode(decoder->state));
    return step;
}

static chttp_coding_step unzstded(
    chttp_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output,
    size_t output_count) {
    zstd_input in = {input, input_count, 0};
    zstd_output out = {output, output_count, 0};
    size_t code = zstd_decoder.decompress(decoder->state, &out, &in);
    int broken = zstd_decoder.isError(code) != 0;
    return (chttp_coding_step) {
        .status = broken ? CHTTP_CODING_BROKEN : code == 0 ? CHTTP_CODING_END : CHTTP_CODING_MORE,
        .consumed = in.position,
        .produced = out.position,
        .reason = broken ? zstd_decoder.errorName(code) : NULL,
    };
}

chttp_coding_step chttp_decoder_step(
    chttp_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output,
    size_t output_count) {
    switch (decoder->format) {
    case CHTTP_FORMAT_BROTLI: return unbrotlied(decoder, input, input_count, output, output_count);
    case CHTTP_FORMAT_ZSTD: return unzstded(decoder, input, input_count, output, output_count);
    default: return inflated(decoder, input, input_count, output, output_count);
    }
}

int chttp_decoder_restart(chttp_decoder *decoder) {
    switch (decoder->format) {
    case CHTTP_FORMAT_BROTLI: return 0;
    case CHTTP_FORMAT_ZSTD:
        return !zstd_decoder.isError(zstd_decoder.resetDCtx(decoder->state, ZSTD_RESET_SESSION));
    default: return zlib_decoder.inflateReset(&decoder->zlib) == Z_OK;
    }
}

void chttp_decoder_free(chttp_decoder *decoder) {
    switch (decoder->format) {
    case CHTTP_FORMAT_BROTLI: brotli_decoder.destroy(decoder->state); break;
    case CHTTP_FORMAT_ZSTD: zstd_decoder.freeDCtx(decoder->state); break;
    default: zlib_decoder.inflateEnd(&decoder->zlib);
    }
    free(decoder);
}

// MARK: Encoding

struct chttp_encoder {
    chttp_format format;
    void *state;  // of brotli and zstd
    z_stream zlib;
};

chttp_encoder *chttp_encoder_make(chttp_format format) {
    if (!chttp_can_encode(format)) return NULL;
    chttp_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->format = format;
    int made;
    switch (format) {
    case CHTTP_FORMAT_BROTLI:
        encoder->state = brotli_encoder.create(NULL, NULL, NULL);
        made = encoder->state
            && brotli_encoder.setParameter(encoder->state, BROTLI_QUALITY, BROTLI_DEFAULT_QUALITY);
        break;
    case CHTTP_FORMAT_ZSTD:
        encoder->state = zstd_encoder.createCCtx();
        made = encoder->state
            && !zstd_decoder.isError(
                zstd_encoder.setEncoding(encoder->state, ZSTD_CHECKSUM, 1));
        break;
    default:
        made = zlib_encoder.deflateInit2_(
                   &encoder->zlib, Z_DEFAULT_LEVEL, Z_DEFLATED, window_bits(format), Z_MEMORY_LEVEL,
                   0, zlib_version, sizeof encoder->zlib) == Z_OK;
    }
    if (made) return encoder;
    if (format == CHTTP_FORMAT_ZSTD && encoder->state) zstd_encoder.freeCCtx(encoder->state);
    if (format == CHTTP_FORMAT_BROTLI && encoder->state) brotli_encoder.destroy(encoder->state);
    free(encoder);
    return NULL;
}

static chttp_coding_step deflated(
    chttp_encoder *encoder, chttp_encode_mode mode, const uint8_t *input, size_t input_count,
    uint8_t *output, size_t output_count) {
    z_stream *stream = &encoder->zlib;
    unsigned int in = clamped(input_count), out = clamped(output_count);
    stream->next_in = input, stream->avail_in = in;
    stream->next_out = output, stream->avail_out = out;
    // What lies beyond the clamped input is not the end.
    int isAll = in == input_count;
    int flush = !isAll || mode == CHTTP_ENCODE_GO_ON ? Z_NO_FLUSH
        : mode == CHTTP_ENCODE_FLUSH ? Z_SYNC_FLUSH : Z_FINISH;
    int code = zlib_encoder.deflate(stream, flush);
    int isFlushed = flush == Z_SYNC_FLUSH && stream->avail_in == 0 && stream->avail_out > 0;
    return (chttp_coding_step) {
        .status = code == Z_STREAM_END || ((code == Z_OK || code == Z_BUF_ERROR) && isFlushed)
            ? CHTTP_CODING_END
            : code == Z_OK || code == Z_BUF_ERROR ? CHTTP_CODING_MORE : CHTTP_CODING_BROKEN,
        .consumed = in - stream->avail_in,
        .produced = out - stream->avail_out,
    };
}

static chttp_coding_step brotlied(
    chttp_encoder *encoder, chttp_encode_mode mode, const uint8_t *input, size_t input_count,
    uint8_t *output, size_t output_count) {
    static const int operations[] = {BROTLI_PROCESS, BROTLI_FLUSH, BROTLI_FINISH};
    size_t in = input_count, out = output_count;
    int good = brotli_encoder.compress(
        encoder->state, operations[mode], &in, &input, &out, &output, NULL);
    int isDone = mode == CHTTP_ENCODE_FINISH ? brotli_encoder.isFinished(encoder->state)
        : mode == CHTTP_ENCODE_FLUSH && in == 0 && !brotli_encoder.hasMoreOutput(encoder->state);
    return (chttp_coding_step) {
        .status = !good ? CHTTP_CODING_BROKEN : isDone ? CHTTP_CODING_END : CHTTP_CODING_MORE,
        .consumed = input_count - in,
        .produced = output_count - out,
    };
}

static chttp_coding_step zstded(
    chttp_encoder *encoder, chttp_encode_mode mode, const uint8_t *input, size_t input_count,
    uint8_t *output, size_t output_count) {
    static const int operations[] = {ZSTD_CONTINUE, ZSTD_FLUSH, ZSTD_END};
    zstd_input in = {input, input_count, 0};
    zstd_output out = {output, output_count, 0};
    size_t code = zstd_encoder.compress(encoder->state, &out, &in, operations[mode]);
    int broken = zstd_decoder.isError(code) != 0;
    int isDone = mode != CHTTP_ENCODE_GO_ON && code == 0 && in.position == input_count;
    return (chttp_coding_step) {
        .status = broken ? CHTTP_CODING_BROKEN : isDone ? CHTTP_CODING_END : CHTTP_CODING_MORE,
        .consumed = in.position,
        .produced = out.position,
    };
}

chttp_coding_step chttp_encoder_step(
    chttp_encoder *encoder, chttp_encode_mode mode, const uint8_t *input, size_t input_count,
    uint8_t *output, size_t output_count) {
    switch (encoder->format) {
    case CHTTP_FORMAT_BROTLI:
        return brotlied(encoder, mode, input, input_count, output, output_count);
    case CHTTP_FORMAT_ZSTD: return zstded(encoder, mode, input, input_count, output, output_count);
    default: return deflated(encoder, mode, input, input_count, output, output_count);
    }
}

void chttp_encoder_free(chttp_encoder *encoder) {
    switch (encoder->format) {
    case CHTTP_FORMAT_BROTLI: brotli_encoder.destroy(encoder->state); break;
    case CHTTP_FORMAT_ZSTD: zstd_encoder.freeCCtx(encoder->state); break;
    default: zlib_encoder.deflateEnd(&encoder->zlib);
    }
    free(encoder);
}
