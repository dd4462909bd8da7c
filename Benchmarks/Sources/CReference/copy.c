#include "CReference.h"
#include <fcntl.h>
#include <unistd.h>

int64_t reference_copy(const char *from, const char *to) {
    static char buffer[64 << 10];
    int source = open(from, O_RDONLY);
    int target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int64_t total = source < 0 || target < 0 ? -1 : 0;
    while (total >= 0) {
        ssize_t count = read(source, buffer, sizeof buffer);
        if (count == 0) break;
        total = count > 0 && write(target, buffer, (size_t)count) == count ? total + count : -1;
    }
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    return total;
}
