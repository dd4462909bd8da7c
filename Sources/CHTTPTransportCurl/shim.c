#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CHTTPTransportCurl.h"

#if defined(__has_include)
#if !__has_include(<curl/curl.h>)
#error "libcurl's headers are missing: apt install libcurl4-openssl-dev (Debian, Ubuntu), dnf install libcurl-devel (Fedora), apk add curl-dev (Alpine), brew install curl (macOS)"
#endif
#endif
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "libcurl 7.85.0 or newer is needed"
#endif

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#else
#include <sys/event.h>
#endif

#define EASY(handle) ((CURL *)(handle))
#define MULTI(handle) ((CURLM *)(handle))

_Static_assert(CHTTP_READ_ABORT == CURL_READFUNC_ABORT, "libcurl's constant has changed");
_Static_assert(CHTTP_READ_PAUSE == CURL_READFUNC_PAUSE, "libcurl's constant has changed");
_Static_assert(CHTTP_POLL_REMOVE == CURL_POLL_REMOVE, "libcurl's constant has changed");
_Static_assert(CHTTP_SELECT_ERR == CURL_CSELECT_ERR, "libcurl's constant has changed");
_Static_assert(CHTTP_ERROR_SIZE >= CURL_ERROR_SIZE, "libcurl's constant has changed");

// MARK: The library

int chttp_global_init(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }

chttp_library chttp_library_info(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    chttp_library library = {
        .version = info->version_num,
        .version_text = info->version,
        .tls_text = info->ssl_version,
        .has_http2 = (info->features & CURL_VERSION_HTTP2) != 0,
        .has_http3 = (info->features & CURL_VERSION_HTTP3) != 0,
        .has_tls = (info->features & CURL_VERSION_SSL) != 0,
        .has_brotli = (info->features & CURL_VERSION_BROTLI) != 0,
        .has_zstd = (info->features & CURL_VERSION_ZSTD) != 0,
        .has_unix_sockets = (info->features & CURL_VERSION_UNIX_SOCKETS) != 0,
    };
    return library;
}

// MARK: Easy handles

static const CURLoption string_options[] = {
    [CHTTP_OPT_URL] = CURLOPT_URL,
    [CHTTP_OPT_CUSTOM_REQUEST] = CURLOPT_CUSTOMREQUEST,
    [CHTTP_OPT_PROXY] = CURLOPT_PROXY,
    [CHTTP_OPT_PROTOCOLS] = CURLOPT_PROTOCOLS_STR,
    [CHTTP_OPT_ACCEPT_ENCODING] = CURLOPT_ACCEPT_ENCODING,
    [CHTTP_OPT_CA_FILE] = CURLOPT_CAINFO,
    [CHTTP_OPT_CA_DIRECTORY] = CURLOPT_CAPATH,
    [CHTTP_OPT_REQUEST_TARGET] = CURLOPT_REQUEST_TARGET,
};

// New in 7.87; by number, since the headers may be older than the library.
enum { OPTION_QUICK_EXIT = 322 };

static const CURLoption long_options[] = {
    [CHTTP_OPT_HTTP_GET] = CURLOPT_HTTPGET,
    [CHTTP_OPT_NO_BODY] = CURLOPT_NOBODY,
    [CHTTP_OPT_POST] = CURLOPT_POST,
    [CHTTP_OPT_UPLOAD] = CURLOPT_UPLOAD,
    [CHTTP_OPT_NO_SIGNAL] = CURLOPT_NOSIGNAL,
    [CHTTP_OPT_FOLLOW_LOCATION] = CURLOPT_FOLLOWLOCATION,
    [CHTTP_OPT_HTTP09_ALLOWED] = CURLOPT_HTTP09_ALLOWED,
    [CHTTP_OPT_SUPPRESS_CONNECT_HEADERS] = CURLOPT_SUPPRESS_CONNECT_HEADERS,
    [CHTTP_OPT_PATH_AS_IS] = CURLOPT_PATH_AS_IS,
    [CHTTP_OPT_DISALLOW_USERNAME] = CURLOPT_DISALLOW_USERNAME_IN_URL,
    [CHTTP_OPT_VERIFY_PEER] = CURLOPT_SSL_VERIFYPEER,
    [CHTTP_OPT_VERIFY_HOST] = CURLOPT_SSL_VERIFYHOST,
    [CHTTP_OPT_TLS_VERSION] = CURLOPT_SSLVERSION,
    [CHTTP_OPT_HTTP_VERSION] = CURLOPT_HTTP_VERSION,
    [CHTTP_OPT_CONNECT_TIMEOUT_MS] = CURLOPT_CONNECTTIMEOUT_MS,
    [CHTTP_OPT_BUFFER_SIZE] = CURLOPT_BUFFERSIZE,
    [CHTTP_OPT_UPLOAD_BUFFER_SIZE] = CURLOPT_UPLOAD_BUFFERSIZE,
    [CHTTP_OPT_PIPE_WAIT] = CURLOPT_PIPEWAIT,
    [CHTTP_OPT_QUICK_EXIT] = (CURLoption)OPTION_QUICK_EXIT,
    [CHTTP_OPT_TCP_NO_DELAY] = CURLOPT_TCP_NODELAY,
    [CHTTP_OPT_TCP_KEEPALIVE] = CURLOPT_TCP_KEEPALIVE,
    [CHTTP_OPT_MAX_AGE_CONNECTION] = CURLOPT_MAXAGE_CONN,
    [CHTTP_OPT_NO_PROGRESS] = CURLOPT_NOPROGRESS,
    [CHTTP_OPT_TCP_KEEPIDLE] = CURLOPT_TCP_KEEPIDLE,
    [CHTTP_OPT_TCP_KEEPINTVL] = CURLOPT_TCP_KEEPINTVL,
};

chttp_easy *chttp_easy_make(void) { return (chttp_easy *)curl_easy_init(); }
void chttp_easy_reset(chttp_easy *easy) { curl_easy_reset(EASY(easy)); }
void chttp_easy_free(chttp_easy *easy) { curl_easy_cleanup(EASY(easy)); }

int chttp_easy_set_string(chttp_easy *easy, chttp_string_option option, const char *value) {
    return (int)curl_easy_setopt(EASY(easy), string_options[option], value);
}

int chttp_easy_set_long(chttp_easy *easy, chttp_long_option option, long value) {
    return (int)curl_easy_setopt(EASY(easy), long_options[option], value);
}

int chttp_easy_set_http_version(chttp_easy *easy, chttp_http_version version) {
    static const long versions[] = {
        [CHTTP_HTTP_1_1] = CURL_HTTP_VERSION_1_1,
        [CHTTP_HTTP_2_TLS] = CURL_HTTP_VERSION_2TLS,
        [CHTTP_HTTP_2_PRIOR_KNOWLEDGE] = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE,
    };
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_HTTP_VERSION, versions[version]);
}

int chttp_easy_set_minimum_tls_1_2(chttp_easy *easy) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}

int chttp_easy_set_upload_length(chttp_easy *easy, int64_t length) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
}

int chttp_easy_set_post_fields(chttp_easy *easy, const void *octets, int64_t length) {
    CURLcode code =
        curl_easy_setopt(EASY(easy), CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    if (code != CURLE_OK) return (int)code;
    return (int)curl_easy_setopt(
        EASY(easy), CURLOPT_COPYPOSTFIELDS, length > 0 ? (const char *)octets : "");
}

int chttp_easy_set_headers(chttp_easy *easy, chttp_list *list) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_HTTPHEADER, (struct curl_slist *)list);
}

int chttp_easy_set_share(chttp_easy *easy, chttp_share *share) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_SHARE, (CURLSH *)share);
}

int chttp_easy_set_private(chttp_easy *easy, void *context) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_PRIVATE, context);
}

void *chttp_easy_private(chttp_easy *easy) {
    char *context = NULL;
    curl_easy_getinfo(EASY(easy), CURLINFO_PRIVATE, &context);
    return context;
}

int chttp_easy_set_write(chttp_easy *easy, chttp_data_callback callback, void *context) {
    curl_easy_setopt(EASY(easy), CURLOPT_WRITEDATA, context);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_WRITEFUNCTION, callback);
}

int chttp_easy_set_header(chttp_easy *easy, chttp_data_callback callback, void *context) {
    curl_easy_setopt(EASY(easy), CURLOPT_HEADERDATA, context);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_HEADERFUNCTION, callback);
}

int chttp_easy_set_read(chttp_easy *easy, chttp_data_callback callback, void *context) {
    curl_easy_setopt(EASY(easy), CURLOPT_READDATA, context);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_READFUNCTION, callback);
}

int chttp_easy_set_seek(chttp_easy *easy, chttp_seek_callback callback, void *context) {
    curl_easy_setopt(EASY(easy), CURLOPT_SEEKDATA, context);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_SEEKFUNCTION, callback);
}

int chttp_easy_set_prereq(chttp_easy *easy, chttp_prereq_callback callback, void *context) {
    curl_easy_setopt(EASY(easy), CURLOPT_PREREQDATA, context);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_PREREQFUNCTION, callback);
}

static curl_socket_t open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address
) {
    (void)purpose;
    const chttp_socket_observer *observer = context;
#if defined(__linux__)
    int descriptor = socket(
        address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) {
        int on = 1;
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
#endif
    if (descriptor >= 0 && observer->opened) observer->opened(observer->context, descriptor);
    return descriptor < 0 ? CURL_SOCKET_BAD : descriptor;
}

static int close_socket(void *context, curl_socket_t descriptor) {
    const chttp_socket_observer *observer = context;
    if (observer->closed) observer->closed(observer->context, descriptor);
    return close(descriptor);
}

int chttp_easy_set_socket_observer(chttp_easy *easy, const chttp_socket_observer *observer) {
    curl_easy_setopt(EASY(easy), CURLOPT_OPENSOCKETDATA, (void *)observer);
    curl_easy_setopt(EASY(easy), CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(EASY(easy), CURLOPT_CLOSESOCKETDATA, (void *)observer);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_CLOSESOCKETFUNCTION, close_socket);
}

int chttp_easy_set_error_buffer(chttp_easy *easy, char *buffer) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_ERRORBUFFER, buffer);
}

int chttp_easy_pause(chttp_easy *easy, int receiving, int sending) {
    int mask = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0);
    return (int)curl_easy_pause(EASY(easy), mask);
}

const char *chttp_easy_error_text(int code) { return curl_easy_strerror((CURLcode)code); }

long chttp_easy_long(chttp_easy *easy, chttp_long_info info) {
    static const CURLINFO infos[] = {
        [CHTTP_INFO_HTTP_VERSION] = CURLINFO_HTTP_VERSION,
        [CHTTP_INFO_NUM_CONNECTS] = CURLINFO_NUM_CONNECTS,
        [CHTTP_INFO_REQUEST_SIZE] = CURLINFO_REQUEST_SIZE,
        [CHTTP_INFO_OS_ERRNO] = CURLINFO_OS_ERRNO,
        [CHTTP_INFO_RESPONSE_CODE] = CURLINFO_RESPONSE_CODE,
        [CHTTP_INFO_VERIFY_RESULT] = CURLINFO_SSL_VERIFYRESULT,
    };
    long value = 0;
    return curl_easy_getinfo(EASY(easy), infos[info], &value) == CURLE_OK ? value : 0;
}

int64_t chttp_easy_offset(chttp_easy *easy, chttp_offset_info info) {
    static const CURLINFO infos[] = {
        [CHTTP_INFO_NAME_LOOKUP_TIME] = CURLINFO_NAMELOOKUP_TIME_T,
        [CHTTP_INFO_CONNECT_TIME] = CURLINFO_CONNECT_TIME_T,
        [CHTTP_INFO_APP_CONNECT_TIME] = CURLINFO_APPCONNECT_TIME_T,
        [CHTTP_INFO_SIZE_UPLOAD] = CURLINFO_SIZE_UPLOAD_T,
        [CHTTP_INFO_SIZE_DOWNLOAD] = CURLINFO_SIZE_DOWNLOAD_T,
        [CHTTP_INFO_CONTENT_LENGTH] = CURLINFO_CONTENT_LENGTH_DOWNLOAD_T,
    };
    curl_off_t value = 0;
    return curl_easy_getinfo(EASY(easy), infos[info], &value) == CURLE_OK ? value : 0;
}

const char *chttp_easy_default_ca_file(chttp_easy *easy) {
    char *path = NULL;
    return curl_easy_getinfo(EASY(easy), CURLINFO_CAINFO, &path) == CURLE_OK ? path : NULL;
}

const char *chttp_easy_default_ca_directory(chttp_easy *easy) {
    char *path = NULL;
    return curl_easy_getinfo(EASY(easy), CURLINFO_CAPATH, &path) == CURLE_OK ? path : NULL;
}

// MARK: Lists of strings

chttp_list *chttp_list_append(chttp_list *list, const char *line) {
    return (chttp_list *)curl_slist_append((struct curl_slist *)list, line);
}

void chttp_list_free(chttp_list *list) { curl_slist_free_all((struct curl_slist *)list); }

// MARK: Multi handles and shares

chttp_multi *chttp_multi_make(void) { return (chttp_multi *)curl_multi_init(); }
int chttp_multi_free(chttp_multi *multi) { return (int)curl_multi_cleanup(MULTI(multi)); }

int chttp_multi_set_callbacks(
    chttp_multi *multi, chttp_socket_callback socket, chttp_timer_callback timer, void *context
) {
    curl_multi_setopt(MULTI(multi), CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(MULTI(multi), CURLMOPT_TIMERDATA, context);
    curl_multi_setopt(MULTI(multi), CURLMOPT_SOCKETFUNCTION, socket);
    return (int)curl_multi_setopt(MULTI(multi), CURLMOPT_TIMERFUNCTION, timer);
}

int chttp_multi_set_limits(chttp_multi *multi, long cached_connections, long streams) {
    curl_multi_setopt(MULTI(multi), CURLMOPT_MAXCONNECTS, cached_connections);
    curl_multi_setopt(MULTI(multi), CURLMOPT_MAX_CONCURRENT_STREAMS, streams);
    return (int)curl_multi_setopt(MULTI(multi), CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
}

int chttp_multi_add(chttp_multi *multi, chttp_easy *easy) {
    return (int)curl_multi_add_handle(MULTI(multi), EASY(easy));
}

int chttp_multi_remove(chttp_multi *multi, chttp_easy *easy) {
    return (int)curl_multi_remove_handle(MULTI(multi), EASY(easy));
}

int chttp_multi_socket_action(chttp_multi *multi, int descriptor, int events) {
    int running = 0;
    return (int)curl_multi_socket_action(MULTI(multi), descriptor, events, &running);
}

int chttp_multi_timeout_action(chttp_multi *multi) {
    int running = 0;
    return (int)curl_multi_socket_action(MULTI(multi), CURL_SOCKET_TIMEOUT, 0, &running);
}

long chttp_multi_timeout(chttp_multi *multi) {
    long timeout = -1;
    curl_multi_timeout(MULTI(multi), &timeout);
    return timeout;
}

chttp_easy *chttp_multi_next_done(chttp_multi *multi, int *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(MULTI(multi), &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = (int)message->data.result;
        return (chttp_easy *)message->easy_handle;
    }
    return NULL;
}

const char *chttp_multi_error_text(int code) { return curl_multi_strerror((CURLMcode)code); }

chttp_share *chttp_share_make(void) {
    CURLSH *share = curl_share_init();
    if (share) curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    return (chttp_share *)share;
}

void chttp_share_free(chttp_share *share) { curl_share_cleanup((CURLSH *)share); }

// MARK: Waiting

#if defined(__linux__)

int chttp_poller_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

int chttp_waker_make(int *read_end, int *write_end) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return errno;
    *read_end = *write_end = descriptor;
    return 0;
}

void chttp_waker_signal(int write_end) {
    const uint64_t one = 1;
    while (write(write_end, &one, sizeof one) < 0 && errno == EINTR) {}
}

void chttp_waker_drain(int read_end) {
    uint64_t count;
    while (read(read_end, &count, sizeof count) < 0 && errno == EINTR) {}
}

int chttp_poller_set(int poller, int descriptor, int previous, int interest) {
    struct epoll_event event = {.data.fd = descriptor};
    if (interest & CHTTP_POLL_IN) event.events |= EPOLLIN | EPOLLRDHUP;
    if (interest & CHTTP_POLL_OUT) event.events |= EPOLLOUT;
    int operation = interest == CHTTP_POLL_NONE ? EPOLL_CTL_DEL
        : previous == CHTTP_POLL_NONE           ? EPOLL_CTL_ADD
                                                : EPOLL_CTL_MOD;
    if (epoll_ctl(poller, operation, descriptor, &event) == 0) return 0;
    // The kernel forgets a descriptor that is closed, and remembers one that was reused unseen.
    if (operation == EPOLL_CTL_MOD && errno == ENOENT) operation = EPOLL_CTL_ADD;
    else if (operation == EPOLL_CTL_ADD && errno == EEXIST) operation = EPOLL_CTL_MOD;
    else if (operation == EPOLL_CTL_DEL && (errno == EBADF || errno == ENOENT)) return 0;
    else return errno;
    return epoll_ctl(poller, operation, descriptor, &event) == 0 ? 0 : errno;
}

int chttp_poller_wait(int poller, chttp_event *events, int capacity, int timeout_ms) {
    struct epoll_event ready[128];
    int count = epoll_wait(poller, ready, capacity < 128 ? capacity : 128, timeout_ms);
    for (int index = 0; index < count; index++) {
        uint32_t bits = ready[index].events;
        events[index].descriptor = ready[index].data.fd;
        events[index].events = (bits & (EPOLLIN | EPOLLHUP | EPOLLRDHUP) ? CHTTP_SELECT_IN : 0)
            | (bits & EPOLLOUT ? CHTTP_SELECT_OUT : 0)
            | (bits & EPOLLERR ? CHTTP_SELECT_ERR | CHTTP_SELECT_IN : 0);
    }
    return count;
}

#else  // kqueue; compiled for Apple platforms, not tested there.

int chttp_poller_make(void) {
    int poller = kqueue();
    if (poller >= 0) fcntl(poller, F_SETFD, FD_CLOEXEC);
    return poller;
}

int chttp_waker_make(int *read_end, int *write_end) {
    int ends[2];
    if (pipe(ends) != 0) return errno;
    for (int index = 0; index < 2; index++) {
        fcntl(ends[index], F_SETFD, FD_CLOEXEC);
        fcntl(ends[index], F_SETFL, O_NONBLOCK);
    }
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

void chttp_waker_signal(int write_end) {
    const char one = 1;
    while (write(write_end, &one, 1) < 0 && errno == EINTR) {}
}

void chttp_waker_drain(int read_end) {
    char octets[64];
    ssize_t count;
    do { count = read(read_end, octets, sizeof octets); } while (count == sizeof octets || (count < 0 && errno == EINTR));
}

int chttp_poller_set(int poller, int descriptor, int previous, int interest) {
    struct kevent changes[2];
    int count = 0;
    if ((previous ^ interest) & CHTTP_POLL_IN)
        EV_SET(&changes[count++], descriptor, EVFILT_READ, interest & CHTTP_POLL_IN ? EV_ADD : EV_DELETE, 0, 0, NULL);
    if ((previous ^ interest) & CHTTP_POLL_OUT)
        EV_SET(&changes[count++], descriptor, EVFILT_WRITE, interest & CHTTP_POLL_OUT ? EV_ADD : EV_DELETE, 0, 0, NULL);
    if (count == 0 || kevent(poller, changes, count, NULL, 0, NULL) == 0) return 0;
    return errno == ENOENT || errno == EBADF ? 0 : errno;
}

int chttp_poller_wait(int poller, chttp_event *events, int capacity, int timeout_ms) {
    struct kevent ready[128];
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    int count = kevent(poller, NULL, 0, ready, capacity < 128 ? capacity : 128, timeout_ms < 0 ? NULL : &timeout);
    for (int index = 0; index < count; index++) {
        events[index].descriptor = (int)ready[index].ident;
        events[index].events = ready[index].filter == EVFILT_WRITE ? CHTTP_SELECT_OUT : CHTTP_SELECT_IN;
        if (ready[index].flags & EV_ERROR) events[index].events |= CHTTP_SELECT_ERR;
    }
    return count;
}

#endif

void chttp_close(int descriptor) { close(descriptor); }

// MARK: Threads

typedef struct {
    void (*body)(void *);
    void *context;
    char name[16];
} thread_start;

static void *run_thread(void *argument) {
    thread_start start = *(thread_start *)argument;
    free(argument);
#if defined(__linux__)
    pthread_setname_np(pthread_self(), start.name);
#else
    pthread_setname_np(start.name);
#endif
    start.body(start.context);
    return NULL;
}

int chttp_thread_start(void (*body)(void *), void *context, const char *name) {
    thread_start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (thread_start){.body = body, .context = context};
    strncpy(start->name, name, sizeof start->name - 1);
    // The thread inherits the mask: signals are for the threads of the program.
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int failure = pthread_create(&thread, &attributes, run_thread, start);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (failure) free(start);
    return failure;
}

int64_t chttp_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static atomic_int fork_generation;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void count_fork(void) { atomic_fetch_add(&fork_generation, 1); }
static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

int chttp_fork_generation(void) {
    pthread_once(&fork_once, watch_forks);
    return atomic_load_explicit(&fork_generation, memory_order_relaxed);
}
