/* A link between two network namespaces that loses and delays packets. Linux; needs root.
 *
 * The program makes a TUN device in each namespace and forwards IP packets between the two. Each
 * direction has a queue of its own. A packet waits until those before it are sent at the rate of
 * the link, and is dropped if that would take longer than the queue allows. Then it is lost with
 * the given probability, or arrives after the delay. Packets never overtake each other.
 *
 * Prints "ready" when the devices exist. On SIGTERM, prints a line of JSON for each direction, and
 * ends. The devices end with the program.
 *
 * usage: lossy-link NAMESPACE NAMESPACE DEVICE LOSS DELAY-MS RATE-MBIT QUEUE-MS SEED
 *
 * NAMESPACE is a path, such as /run/netns/a. LOSS is a probability, such as 0.01. QUEUE-MS is the
 * longest time that a packet may wait for those before it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 1 << 14, LONGEST = 2048, AT_ONCE = 64 };

struct packet {
    uint64_t due;
    size_t length;
    unsigned char bytes[LONGEST];
};

/* One direction. The packets from `first` to `end` are on their way. */
struct direction {
    int from, to;
    uint64_t random, idle_at;
    uint32_t first, end;
    unsigned long long forwarded, lost, overflowed, failed;
    struct packet *packets;
};

static double loss, rate;
static uint64_t delay, longest_wait;
static volatile sig_atomic_t is_over;

static void finish(int number) {
    (void)number;
    is_over = 1;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Returns a number from 0 to 1, exclusive (xorshift64*). */
static double chance(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545F4914F6CDD1Du) >> 11) / 9007199254740992.0;
}

static int make_device(const char *namespace, const char *name) {
    int entry = open(namespace, O_RDONLY | O_CLOEXEC);
    if (entry < 0 || setns(entry, CLONE_NEWNET)) fail(namespace);
    close(entry);
    int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (device < 0) fail("/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (ioctl(device, TUNSETIFF, &request)) fail(name);
    return device;
}

/* Takes the packets that a device has sent, and places them on the link. */
static void accept_packets(struct direction *way) {
    for (int count = 0; count < AT_ONCE; count++) {
        struct packet *packet = &way->packets[way->end % SLOTS];
        unsigned char overflow[LONGEST];
        int is_full = way->end - way->first == SLOTS;
        ssize_t length = read(way->from, is_full ? overflow : packet->bytes, LONGEST);
        if (length <= 0) return;
        uint64_t time = now(), begin = way->idle_at > time ? way->idle_at : time;
        if (is_full || begin - time > longest_wait) {
            way->overflowed++;
            continue;
        }
        way->idle_at = begin + (rate > 0 ? (uint64_t)((double)length * 8e3 / rate) : 0);
        if (chance(&way->random) < loss) {
            way->lost++;
            continue;
        }
        packet->due = way->idle_at + delay;
        packet->length = (size_t)length;
        way->end++;
    }
}

/* Delivers the packets whose time has come. Returns the time of the next one. */
static uint64_t deliver(struct direction *way) {
    while (way->first != way->end) {
        struct packet *packet = &way->packets[way->first % SLOTS];
        if (packet->due > now()) return packet->due;
        if (write(way->to, packet->bytes, packet->length) == (ssize_t)packet->length)
            way->forwarded++;
        else
            way->failed++;
        way->first++;
    }
    return UINT64_MAX;
}

int main(int count, char **arguments) {
    if (count != 9) {
        fprintf(
            stderr, "usage: %s %s\n", arguments[0],
            "NAMESPACE NAMESPACE DEVICE LOSS DELAY-MS RATE-MBIT QUEUE-MS SEED");
        return 64;
    }
    loss = atof(arguments[4]);
    delay = (uint64_t)(atof(arguments[5]) * 1e6);
    rate = atof(arguments[6]);
    longest_wait = (uint64_t)(atof(arguments[7]) * 1e6);
    uint64_t seed = strtoull(arguments[8], NULL, 10);

    /* The signal arrives only during ppoll, so it cannot be missed. */
    struct sigaction action = {.sa_handler = finish};
    sigset_t blocked, open_mask;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &open_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    /* Timers are exact to a nanosecond instead of 50 microseconds. */
    prctl(PR_SET_TIMERSLACK, 1);

    int ends[2];
    for (int i = 0; i < 2; i++) ends[i] = make_device(arguments[1 + i], arguments[3]);
    struct direction ways[2];
    for (int i = 0; i < 2; i++) {
        ways[i] = (struct direction){.from = ends[i], .to = ends[1 - i]};
        ways[i].random = (seed + 1) * 0x9E3779B97F4A7C15u + (uint64_t)i * 0xBF58476D1CE4E5B9u;
        if (!ways[i].random) ways[i].random = 1;
        for (int round = 0; round < 16; round++) chance(&ways[i].random);
        ways[i].packets = calloc(SLOTS, sizeof *ways[i].packets);
        if (!ways[i].packets) fail("memory");
    }
    printf("ready\n");
    fflush(stdout);

    while (!is_over) {
        uint64_t a = deliver(&ways[0]), b = deliver(&ways[1]), next = a < b ? a : b, time = now();
        uint64_t left = next > time ? next - time : 0;
        struct timespec limit = {
            .tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
        struct pollfd polls[2] = {
            {.fd = ends[0], .events = POLLIN}, {.fd = ends[1], .events = POLLIN}};
        int ready = ppoll(polls, 2, next == UINT64_MAX ? NULL : &limit, &open_mask);
        if (ready < 0 && errno != EINTR) fail("ppoll");
        for (int i = 0; ready > 0 && i < 2; i++)
            if (polls[i].revents) accept_packets(&ways[i]);
    }
    for (int i = 0; i < 2; i++)
        printf(
            "{\"forwarded\":%llu,\"lost\":%llu,\"overflowed\":%llu,\"failed\":%llu}\n",
            ways[i].forwarded, ways[i].lost, ways[i].overflowed, ways[i].failed);
    return 0;
}
