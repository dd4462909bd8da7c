/* The parts of a C client: command line, clock, rusage, samples and the one JSON line. */
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum mode { M_GET, M_H2, M_FRESH, M_DOWN, M_DOWN_FILE, M_UP, M_UP_FILE };
static const char *const mode_names[] = {
    "get", "h2", "fresh", "down", "down-file", "up", "up-file"};
static struct {
    const char *url, *ca, *file;
    long n, c, expect;
    long long upload;
    enum mode mode;
} A;
static uint32_t *samples;
static long done_n, errors_n;
static long long bytes_n;
static uint64_t t_start;
static struct rusage ru_start;

static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}
static inline void record(uint64_t t0, int ok, long long n) {
    uint64_t d = (now_ns() - t0) / 100;
    samples[done_n++] = d > UINT32_MAX ? UINT32_MAX : (uint32_t)d;
    bytes_n += n;
    if (!ok || (A.expect >= 0 && n != A.expect)) errors_n++;
}
static void parse_args(int argc, char **argv) {
    if (argc < 5) {
        fprintf(
            stderr, "usage: %s URL N C get|h2|fresh|down|down-file|up|up-file\n", argv[0]);
        exit(2);
    }
    A.url = argv[1]; A.n = atol(argv[2]); A.c = atol(argv[3]);
    if (A.c > A.n) A.c = A.n;
    int m = -1;
    for (int i = 0; i < 7; i++) if (!strcmp(argv[4], mode_names[i])) m = i;
    if (m < 0) { fprintf(stderr, "unknown mode %s\n", argv[4]); exit(2); }
    A.mode = (enum mode)m;
    A.ca = getenv("BENCH_CA");
    A.file = getenv("BENCH_FILE") ? getenv("BENCH_FILE") : "/dev/null";
    A.expect = getenv("BENCH_EXPECT_BYTES") ? atol(getenv("BENCH_EXPECT_BYTES")) : -1;
    A.upload = getenv("BENCH_UPLOAD_BYTES") ? atoll(getenv("BENCH_UPLOAD_BYTES")) : 1ll << 30;
    samples = malloc(sizeof *samples * (size_t)(A.n + 1));
    getrusage(RUSAGE_SELF, &ru_start);
    t_start = now_ns();
}
static int cmp_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}
static double tv(struct timeval a, struct timeval b) {
    return (double)(a.tv_sec - b.tv_sec) + (double)(a.tv_usec - b.tv_usec) / 1e6;
}
static double quant(double p) {
    if (!done_n) return 0;
    long i = (long)((double)done_n * p);
    return (double)samples[i >= done_n ? done_n - 1 : i] / 10.0;
}
/* VmHWM, not ru_maxrss, which begins with the parent's value at the fork. */
static long max_rss_kb(void) {
    char line[256]; long kb = 0; FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) if (sscanf(line, "VmHWM: %ld", &kb) == 1) break;
    if (f) fclose(f);
    return kb;
}
static void report(const char *client, const char *note) {
    double wall = (double)(now_ns() - t_start) / 1e9;
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    double u = tv(r.ru_utime, ru_start.ru_utime), s = tv(r.ru_stime, ru_start.ru_stime);
    qsort(samples, (size_t)done_n, sizeof *samples, cmp_u32);
    printf("{\"client\":\"%s\",\"mode\":\"%s\",\"n\":%ld,\"c\":%ld,\"wall_s\":%.6f,\"rps\":%.1f,"
           "\"user_s\":%.6f,\"sys_s\":%.6f,\"cpu_s\":%.6f,\"cpu_us_per_req\":%.3f,"
           "\"maxrss_kb\":%ld,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,"
           "\"bytes\":%lld,\"errors\":%ld,\"note\":\"%s\"}\n",
           client, mode_names[A.mode], done_n, A.c, wall, done_n / wall, u, s, u + s,
           (u + s) * 1e6 / (done_n ? done_n : 1), max_rss_kb(), quant(.5), quant(.99),
           quant(.999), bytes_n, errors_n, note);
}
