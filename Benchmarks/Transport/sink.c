/* A minimal upload sink: one thread, epoll, HTTP/1.1. Discards the body of any request and responds
 * with 200, "x-swallowed: <bytes>" and an empty body. A body with Content-Length is read with
 * recv(MSG_TRUNC), so that the kernel drops the bytes without a copy; a chunked body is parsed.
 * Responds to Expect: 100-continue. Prints its port, chosen by the system, and ends after
 * `seconds`.
 * With HOLD, it responds only when that many requests wait for a response.
 * usage: [HOLD=N] sink SECONDS */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct conn { int fd; char hdr[16384]; size_t have; int state; /* 0 headers, 1 length, 2 chunked */
    long long left, total; int cstate, close; long long csize; };
static char buf[1 << 20];
static int ep;
static void drop(struct conn *c) { close(c->fd); free(c); }
static struct conn **held;
static long hold, held_n;
static void answer(struct conn *c) {
    if (hold && held_n >= 0) {
        held[held_n++] = c;
        if (held_n < hold) return;
        held_n = -1;
        for (long i = 0; i < hold; i++) answer(held[i]);
        held_n = 0;
        return;
    }
    char r[256];
    int n = snprintf(
        r, sizeof r, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Swallowed: %lld\r\n%s\r\n",
        c->total, c->close ? "Connection: close\r\n" : "");
    if (write(c->fd, r, (size_t)n) != n) c->close = 1;
    c->state = 0; c->have = 0;
}
/* The chunk parser. States: 0 size line, 1 data, 2 CRLF after data, 3 trailer lines (csize is the
 * length of the line). */
static int chunked(struct conn *c, const char *p, size_t n) {
    for (size_t i = 0; i < n;) {
        if (c->cstate == 1) {
            size_t k = (long long)(n - i) < c->csize ? n - i : (size_t)c->csize;
            c->csize -= (long long)k; c->total += (long long)k; i += k;
            if (!c->csize) c->cstate = 2;
            continue;
        }
        char ch = p[i++];
        if (c->cstate == 0) {
            if (ch == '\n') { c->cstate = c->csize ? 1 : 3; }
            else if (ch >= '0' && ch <= '9') c->csize = c->csize * 16 + (ch - '0');
            else if ((ch | 32) >= 'a' && (ch | 32) <= 'f')
                c->csize = c->csize * 16 + ((ch | 32) - 'a' + 10);
        } else if (c->cstate == 2) { if (ch == '\n') { c->cstate = 0; c->csize = 0; } }
        else if (ch == '\n') { /* trailers end with an empty line */
            if (!c->csize) return 1;
            c->csize = 0;
        }
        else if (ch != '\r') c->csize = 1;
    }
    return 0;
}
static void readable(struct conn *c) {
    if (c->state == 1) {
        ssize_t r = recv(
            c->fd, NULL, c->left > (1ll << 30) ? 1u << 30 : (size_t)c->left,
            MSG_TRUNC | MSG_DONTWAIT);
        if (r < 0 && errno == EAGAIN) return;
        if (r <= 0) { drop(c); return; }
        c->left -= r; c->total += r;
        if (!c->left) answer(c);
        return;
    }
    if (c->state == 2) {
        ssize_t r = recv(c->fd, buf, sizeof buf, MSG_DONTWAIT);
        if (r < 0 && errno == EAGAIN) return;
        if (r <= 0) { drop(c); return; }
        if (chunked(c, buf, (size_t)r)) answer(c);
        return;
    }
    ssize_t r = recv(c->fd, c->hdr + c->have, sizeof c->hdr - 1 - c->have, MSG_DONTWAIT);
    if (r < 0 && errno == EAGAIN) return;
    if (r <= 0) { drop(c); return; }
    c->have += (size_t)r; c->hdr[c->have] = 0;
    char *end = strstr(c->hdr, "\r\n\r\n");
    if (!end) { if (c->have >= sizeof c->hdr - 1) drop(c); return; }
    size_t extra = c->have - (size_t)(end + 4 - c->hdr);
    char *body = end + 4;
    *end = 0;
    c->total = 0; c->left = 0; c->close = strcasestr(c->hdr, "\nconnection: close") != NULL;
    char *cl = strcasestr(c->hdr, "\ncontent-length:");
    int ch = strcasestr(c->hdr, "\ntransfer-encoding: chunked") != NULL;
    if (strcasestr(c->hdr, "\nexpect: 100-continue"))
        if (write(c->fd, "HTTP/1.1 100 Continue\r\n\r\n", 25) != 25) { drop(c); return; }
    if (ch) {
        c->state = 2; c->cstate = 0; c->csize = 0;
        if (chunked(c, body, extra)) answer(c);
    } else {
        c->left = (cl ? atoll(cl + 16) : 0) - (long long)extra; c->total = (long long)extra;
        if (c->left <= 0) answer(c); else c->state = 1;
    }
}
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    signal(SIGPIPE, SIG_IGN);
    alarm((unsigned)atoi(argv[1]));
    hold = getenv("HOLD") ? atol(getenv("HOLD")) : 0;
    held = calloc((size_t)hold + 1, sizeof *held);
    int l = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(l, (struct sockaddr *)&a, sizeof a) || listen(l, 4096)) { perror("sink"); return 1; }
    socklen_t length = sizeof a;
    if (getsockname(l, (struct sockaddr *)&a, &length)) { perror("sink"); return 1; }
    printf("%d\n", ntohs(a.sin_port));
    fflush(stdout);
    ep = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = NULL}, evs[64];
    epoll_ctl(ep, EPOLL_CTL_ADD, l, &ev);
    for (;;) {
        int k = epoll_wait(ep, evs, 64, -1);
        for (int i = 0; i < k; i++) {
            struct conn *c = evs[i].data.ptr;
            if (c) { readable(c); continue; }
            int fd = accept4(l, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (fd < 0) continue;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            c = calloc(1, sizeof *c); c->fd = fd;
            struct epoll_event e2 = {.events = EPOLLIN, .data.ptr = c};
            epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e2);
        }
    }
}
