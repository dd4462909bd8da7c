/* The limit of libcurl: its multi interface, driven by curl_multi_socket_action and epoll, with
 * easy handles reused. Each request needs only remove_handle and add_handle, because libcurl
 * requires that a finished handle is removed and added again.
 * BENCH_CURL_SETOPT_EACH: resets the handle and sets every option again for each request, as a
 * general library must.
 * An idle connection stays registered in epoll. libcurl reports REMOVE at the end of each transfer
 * and IN again at the start of the next on the same socket: two unnecessary epoll_ctl calls per
 * request. Here, REMOVE only marks the descriptor as idle, and the close callback forgets it. An
 * event on an idle descriptor (the server closed the connection) removes it.
 * BENCH_CURL_NAIVE: without this. */
#include "common.h"
#include <curl/curl.h>
#include <sys/epoll.h>

struct conn { CURL *e; char *body; size_t len, cap; uint64_t t0; long long sent; };
static CURLM *multi;
static int ep, setopt_each, file;
static int64_t deadline = -1; /* ns; -1 for none */
static long started;
static int running;
static char letters[256 * 1024];

static size_t on_body(char *p, size_t s, size_t n, void *u) {
    struct conn *c = u; n *= s;
    if (A.mode == M_DOWN) { c->len += n; return n; }
    if (A.mode == M_DOWN_FILE) {
        for (size_t o = 0; o < n;) {
            ssize_t k = write(file, p + o, n - o);
            if (k < 0) return CURL_WRITEFUNC_ERROR;
            o += (size_t)k;
        }
        c->len += n;
        return n;
    }
    if (c->len + n > c->cap) { c->cap = (c->len + n) * 2; c->body = realloc(c->body, c->cap); }
    memcpy(c->body + c->len, p, n);
    c->len += n;
    return n;
}
static size_t on_read(char *p, size_t s, size_t n, void *u) {
    struct conn *c = u; n *= s;
    long long left = A.upload - c->sent;
    if ((long long)n > left) n = (size_t)left;
    if (A.mode == M_UP_FILE) {
        ssize_t k = pread(file, p, n, c->sent);
        if (k < 0) return CURL_READFUNC_ABORT;
        c->sent += k;
        return (size_t)k;
    }
    size_t o = 0;
    while (o < n) {
        size_t k = n - o < sizeof letters ? n - o : sizeof letters;
        memcpy(p + o, letters, k);
        o += k;
    }
    c->sent += (long long)n;
    return n;
}
static unsigned char registered[65536], wanted[65536];
static int lazy;
static int on_close(void *u, curl_socket_t s) {
    (void)u;
    registered[s] = wanted[s] = 0;
    return close(s);
}
static int on_socket(CURL *e, curl_socket_t s, int what, void *u, void *sp) {
    (void)e; (void)u;
    if (lazy) {
        unsigned char w = what == CURL_POLL_REMOVE ? 0 : (unsigned char)what;
        wanted[s] = w;
        if (!w || w == registered[s]) return 0;
        struct epoll_event v = {
            .data.fd = s,
            .events = (w & CURL_POLL_IN ? EPOLLIN : 0) | (w & CURL_POLL_OUT ? EPOLLOUT : 0)};
        epoll_ctl(ep, registered[s] ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, s, &v);
        registered[s] = w;
        return 0;
    }
    struct epoll_event ev = {.data.fd = s};
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(ep, EPOLL_CTL_DEL, s, NULL);
        curl_multi_assign(multi, s, NULL);
        return 0;
    }
    ev.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    if (!sp) { epoll_ctl(ep, EPOLL_CTL_ADD, s, &ev); curl_multi_assign(multi, s, (void *)1); }
    else epoll_ctl(ep, EPOLL_CTL_MOD, s, &ev);
    return 0;
}
static int on_timer(CURLM *m, long ms, void *u) {
    (void)m;
    (void)u;
    deadline = ms < 0 ? -1 : (int64_t)now_ns() + ms * 1000000;
    return 0;
}

static struct curl_slist *up_headers;
static void options(struct conn *c) {
    CURL *e = c->e;
    curl_easy_setopt(e, CURLOPT_URL, A.url);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, c);
    curl_easy_setopt(e, CURLOPT_PRIVATE, c);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(e, CURLOPT_PROXY, "");
    curl_easy_setopt(
        e, CURLOPT_HTTP_VERSION, A.mode == M_H2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    const char *coding = getenv("BENCH_CODING");
    if (coding && *coding) curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
    if (A.ca) curl_easy_setopt(e, CURLOPT_CAINFO, A.ca);
    /* Debian builds libcurl with a CApath, and any CApath turns its CA cache (7.87+) off: the whole
     * bundle is then parsed again for every new TLS connection. */
    if (A.ca) curl_easy_setopt(e, CURLOPT_CAPATH, NULL);
    if (lazy) curl_easy_setopt(e, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    if (A.mode == M_H2) curl_easy_setopt(e, CURLOPT_PIPEWAIT, 1L);
    if (A.mode == M_FRESH) {
        curl_easy_setopt(e, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(e, CURLOPT_FORBID_REUSE, 1L);
    }
    if (A.mode == M_DOWN || A.mode == M_DOWN_FILE)
        curl_easy_setopt(
            e, CURLOPT_BUFFERSIZE,
            getenv("BENCH_CURL_BUF") ? atol(getenv("BENCH_CURL_BUF")) : 128l * 1024);
    if (A.mode == M_UP || A.mode == M_UP_FILE) {
        curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(
            e, CURLOPT_UPLOAD_BUFFERSIZE,
            getenv("BENCH_CURL_BUF") ? atol(getenv("BENCH_CURL_BUF")) : 128l * 1024);
        curl_easy_setopt(e, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(e, CURLOPT_READDATA, c);
        curl_easy_setopt(e, CURLOPT_INFILESIZE_LARGE, (curl_off_t)A.upload);
        curl_easy_setopt(e, CURLOPT_HTTPHEADER, up_headers);
    }
}
static void start(struct conn *c) {
    c->len = 0; c->sent = 0; c->t0 = now_ns(); started++;
    if (setopt_each) { curl_easy_reset(c->e); options(c); }
    curl_multi_add_handle(multi, c->e);
}
static void reap(void) {
    int left; CURLMsg *m;
    while ((m = curl_multi_info_read(multi, &left))) {
        if (m->msg != CURLMSG_DONE) continue;
        struct conn *c; long code = 0; CURL *e = m->easy_handle; CURLcode r = m->data.result;
        curl_easy_getinfo(e, CURLINFO_PRIVATE, &c);
        curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &code);
        if (r != CURLE_OK && !errors_n) fprintf(stderr, "%s\n", curl_easy_strerror(r));
        curl_multi_remove_handle(multi, e);
        record(c->t0, r == CURLE_OK && code == 200, (long long)c->len);
        if (started < A.n) start(c);
    }
}
int main(int argc, char **argv) {
    parse_args(argc, argv);
    setopt_each = getenv("BENCH_CURL_SETOPT_EACH") != NULL;
    lazy = getenv("BENCH_CURL_NAIVE") == NULL;
    memset(letters, 'a', sizeof letters);
    if (A.mode == M_DOWN_FILE) file = open(A.file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (A.mode == M_UP_FILE) file = open(A.file, O_RDONLY | O_CLOEXEC);
    if (file < 0) { perror(A.file); return 1; }
    curl_global_init(CURL_GLOBAL_ALL);
    up_headers = curl_slist_append(
        curl_slist_append(NULL, "Expect:"), "Content-Type: application/octet-stream");
    multi = curl_multi_init();
    ep = epoll_create1(EPOLL_CLOEXEC);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, A.c + 8);
    if (A.mode == M_H2) {
        curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
        curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000L);
    }
    struct conn *cs = calloc((size_t)A.c, sizeof *cs);
    for (long i = 0; i < A.c; i++) {
        cs[i].e = curl_easy_init(); cs[i].cap = 16 * 1024; cs[i].body = malloc(cs[i].cap);
        options(&cs[i]);
        start(&cs[i]);
    }
    struct epoll_event ev[256];
    while (done_n < A.n) {
        int timeout = -1;
        if (deadline >= 0) {
            int64_t d = deadline - (int64_t)now_ns();
            timeout = d <= 0 ? 0 : (int)((d + 999999) / 1000000);
        }
        int k = timeout == 0 ? 0 : epoll_wait(ep, ev, 256, timeout);
        if (deadline >= 0 && (int64_t)now_ns() >= deadline) {
            deadline = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
            reap();
        }
        for (int i = 0; i < k; i++) {
            if (lazy && !wanted[ev[i].data.fd]) {
                if (registered[ev[i].data.fd]) {
                    epoll_ctl(ep, EPOLL_CTL_DEL, ev[i].data.fd, NULL);
                    registered[ev[i].data.fd] = 0;
                }
                continue;
            }
            int f = (ev[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                    (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                    (ev[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
            curl_multi_socket_action(multi, ev[i].data.fd, f, &running);
        }
        if (k > 0) reap();
    }
    report(setopt_each ? "rawcurl-setopt" : lazy ? "rawcurl" : "rawcurl-naive",
           curl_version_info(CURLVERSION_NOW)->version);
    for (long i = 0; i < A.c; i++) curl_easy_cleanup(cs[i].e);
    curl_multi_cleanup(multi);
    return errors_n != 0;
}
