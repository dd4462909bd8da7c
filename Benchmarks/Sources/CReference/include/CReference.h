#ifndef CREFERENCE_H
#define CREFERENCE_H

#include <stddef.h>
#include <stdint.h>

/// Returns the number of lines that end in these bytes, with one `memchr` per line.
size_t reference_count_lines(const uint8_t *_Nonnull bytes, size_t count);

/// Writes the SHA-256 digest to 32 bytes.
void reference_sha256(
    const uint8_t *_Nonnull bytes, size_t count, uint8_t *_Nonnull digest);

/// Copies a file with `read` and `write`, 64 KiB at a time. Returns the number of bytes, or -1.
int64_t reference_copy(const char *_Nonnull from, const char *_Nonnull to);

#endif
