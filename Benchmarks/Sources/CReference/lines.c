#include "CReference.h"
#include <string.h>

size_t reference_count_lines(const uint8_t *octets, size_t count) {
    const uint8_t *end = octets + count;
    size_t lines = 0;
    while (octets < end && (octets = memchr(octets, '\n', (size_t)(end - octets)))) {
        lines++;
        octets++;
    }
    return lines;
}
