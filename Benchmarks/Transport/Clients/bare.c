/* The cost of GETs over HTTP/1.1 without any library: non-blocking sockets, epoll, one fixed
 * request, and no more reading of a response than to find its end. It is no usable client; it shows
 * how much of raw libcurl's cost is HTTP, and how much is the system. */
#include "common.h"
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

struct connection {
    int fd, has_head;
    uint64_t start;
    long long left, got;
    size_t head_count;
    char head[4096];
};

static char request[1024];
static size_t request_count;
static char buffer[1 << 17];
static long started;

static void fail(const char *what) { perror(what); exit(1); }

static void begin(struct connection *c) {
    started++;
    c->start = now_ns();
    c->has_head = 0;
    c->head_count = 0;
    c->got = 0;
    if (send(c->fd, request, request_count, MSG_NOSIGNAL) != (ssize_t)request_count) fail("send");
}

/* Returns 1 if the response is complete. */
static int take(struct connection *c, const char *bytes, size_t count) {
    if (!c->has_head) {
        size_t n = sizeof c->head - 1 - c->head_count;
        if (n > count) n = count;
        memcpy(c->head + c->head_count, bytes, n);
        size_t before = c->head_count;
        c->head_count += n;
        c->head[c->head_count] = 0;
        char *end = strstr(c->head, "\r\n\r\n");
        if (!end) return 0;
        const char *length = strcasestr(c->head, "\r\ncontent-length:");
        if (!length || strncmp(c->head, "HTTP/1.1 200", 12)) {
            fprintf(stderr, "unexpected response: %s\n", c->head);
            exit(1);
        }
        c->left = atoll(length + 17);
        c->has_head = 1;
        size_t used = (size_t)(end + 4 - c->head) - before;
        bytes += used;
        count -= used;
    }
    (void)bytes;
    c->got += (long long)count;
    return c->got >= c->left;
}

int main(int argc, char **argv) {
    parse_args(argc, argv);
    char host[256], port[16], path[512] = "/";
    if (A.mode != M_GET || sscanf(A.url, "http://%255[^:/]:%15[0-9]%511s", host, port, path) < 2) {
        fprintf(stderr, "bare: only http://HOST:PORT/PATH and get\n");
        return 2;
    }
    request_count = (size_t)snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s:%s\r\n\r\n", path, host, port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *address;
    if (getaddrinfo(host, port, &hints, &address)) fail("getaddrinfo");
    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = calloc((size_t)A.c, sizeof *connections);
    for (long i = 0; i < A.c; i++) {
        struct connection *c = &connections[i];
        c->fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int on = 1;
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connect(c->fd, address->ai_addr, address->ai_addrlen)) fail("connect");
        fcntl(c->fd, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
        begin(c);
    }
    struct epoll_event events[128];
    while (done_n < A.n) {
        int count = epoll_wait(poller, events, 128, -1);
        for (int i = 0; i < count; i++) {
            struct connection *c = events[i].data.ptr;
            ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
            if (n <= 0) {
                if (n < 0 && errno == EAGAIN) continue;
                fail("recv");
            }
            if (!take(c, buffer, (size_t)n)) continue;
            record(c->start, 1, c->got);
            if (started < A.n) begin(c);
        }
    }
    report("bare", "");
    return 0;
}
