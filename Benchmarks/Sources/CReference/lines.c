#include "CReference.h"
#include <string.h>

size_t reference_count_lines(const uint8_t *bytes, size_t count) {
    const uint8_t *end = bytes + count;
    size_t lines = 0;
    while (bytes < end && (bytes = memchr(bytes, '\n', (size_t)(end - bytes)))) {
        lines++;
        bytes++;
    }
    return lines;
}
