// The C boundary of HTTPCodings: zlib, brotli and zstd as they are found in the running process. It
// makes no decisions.
//
// No header of these libraries is needed and none of them is linked: a libcurl that decodes has
// brought them. Their interfaces are declared in codings.c, as far as they are used; they are the
// same in all versions in use.

#ifndef CHTTP_CODINGS_H
#define CHTTP_CODINGS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct chttp_decoder chttp_decoder;
typedef struct chttp_encoder chttp_encoder;

// The formats of one stream. `deflate` as a content coding is CHTTP_FORMAT_ZLIB or, from servers
// that take the word literally, CHTTP_FORMAT_DEFLATE.
typedef enum : int {
    CHTTP_FORMAT_GZIP,
    CHTTP_FORMAT_ZLIB,
    CHTTP_FORMAT_DEFLATE,
    CHTTP_FORMAT_BROTLI,
    CHTTP_FORMAT_ZSTD,
} chttp_format;

typedef enum : int {
    CHTTP_CODING_MORE,  // needs more input or more room
    CHTTP_CODING_END,  // the stream has ended
    CHTTP_CODING_BROKEN,
} chttp_coding_status;

typedef struct {
    chttp_coding_status status;
    size_t consumed;
    size_t produced;
    const char *_Nullable reason;  // of a decoder: static text of the library, if it is broken
} chttp_coding_step;

// Returns 1 if the library for the format is in this process or could be loaded. It is looked for
// once.
int chttp_can_decode(chttp_format format);
int chttp_can_encode(chttp_format format);

// Returns NULL without the library or without memory.
chttp_decoder *_Nullable chttp_decoder_make(chttp_format format);
// Continues the stream. Never reads or writes beyond the given bytes.
chttp_coding_step chttp_decoder_step(
    chttp_decoder *decoder, const uint8_t *_Nullable input, size_t input_count,
    uint8_t *output, size_t output_count);
// Begins another stream of the same format. Returns 1, or 0 if that is not possible.
int chttp_decoder_restart(chttp_decoder *decoder);
void chttp_decoder_free(chttp_decoder *decoder);

typedef enum : int {
    CHTTP_ENCODE_GO_ON,
    CHTTP_ENCODE_FLUSH,  // all input so far can be decoded from what was put out
    CHTTP_ENCODE_FINISH,
} chttp_encode_mode;

chttp_encoder *_Nullable chttp_encoder_make(chttp_format format);
// Continues the stream. With FLUSH and FINISH, CHTTP_CODING_END says that nothing remains to put
// out; call again with room until then.
chttp_coding_step chttp_encoder_step(
    chttp_encoder *encoder, chttp_encode_mode mode, const uint8_t *_Nullable input,
    size_t input_count, uint8_t *output, size_t output_count);
void chttp_encoder_free(chttp_encoder *encoder);

#pragma clang assume_nonnull end

#endif
