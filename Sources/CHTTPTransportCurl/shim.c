#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CHTTPTransportCurl.h"

#if defined(__has_include)
#if !__has_include(<curl/curl.h>)
#error "libcurl's headers are missing: apt install libcurl4-openssl-dev (Debian, Ubuntu), " \
    "dnf install libcurl-devel (Fedora), apk add curl-dev (Alpine), brew install curl (macOS)"
#endif
#endif
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "libcurl 7.85.0 or newer is needed"
#endif

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/magic.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#else
#include <sys/event.h>
#endif

// The number of calls of libcurl that this thread is in. See streams.c.
extern _Thread_local int chttp_library_depth;

#define EASY(handle) ((CURL *)(handle))
#define MULTI(handle) ((CURLM *)(handle))

_Static_assert(CHTTP_READ_ABORT == CURL_READFUNC_ABORT, "libcurl's constant has changed");
_Static_assert(CHTTP_READ_PAUSE == CURL_READFUNC_PAUSE, "libcurl's constant has changed");
_Static_assert(CHTTP_POLL_REMOVE == CURL_POLL_REMOVE, "libcurl's constant has changed");
_Static_assert(CHTTP_SELECT_ERR == CURL_CSELECT_ERR, "libcurl's constant has changed");
_Static_assert(CHTTP_ERROR_SIZE >= CURL_ERROR_SIZE, "libcurl's constant has changed");

#define SAME_CODE(name, value) \
    _Static_assert((int)CHTTP_##name == (int)CURL##name, "libcurl's code has changed");
CHTTP_CODES(SAME_CODE)
#if LIBCURL_VERSION_NUM >= 0x080600
SAME_CODE(E_TOO_LARGE, 100)
#endif
#if LIBCURL_VERSION_NUM >= 0x080800
SAME_CODE(E_ECH_REQUIRED, 101)
#endif
#undef SAME_CODE

// MARK: The library

// OpenSSL frees its globals in an `exit` handler while other threads may still use them. This tells
// OpenSSL to leave them to the system, if the library has that option. Only the first call that
// initialises OpenSSL can set it.
static void keep_openssl_at_exit(void) {
    int (*init)(uint64_t options, const void *settings);
    *(void **)&init = dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    const uint64_t no_atexit = 0x00080000;
    if (init) init(no_atexit, NULL);
}

int chttp_global_init(void) {
    keep_openssl_at_exit();
    return (int)curl_global_init(CURL_GLOBAL_DEFAULT);
}

chttp_library chttp_library_info(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    chttp_library library = {
        .version = info->version_num,
        .version_text = info->version,
        .tls_text = info->ssl_version,
        .http2_text = info->nghttp2_version,
        .http3_text = info->quic_version,
        .has_http2 = (info->features & CURL_VERSION_HTTP2) != 0,
        .has_http3 = (info->features & CURL_VERSION_HTTP3) != 0,
        .has_tls = (info->features & CURL_VERSION_SSL) != 0,
        .has_unix_sockets = (info->features & CURL_VERSION_UNIX_SOCKETS) != 0,
        .has_https_proxy = (info->features & CURL_VERSION_HTTPS_PROXY) != 0,
    };
    return library;
}

// MARK: Easy handles

#define OPTION(name, of_library) [CHTTP_OPT_##name] = CURLOPT_##of_library,
#define BLOB(name, of_library) [CHTTP_BLOB_##name] = CURLOPT_##of_library,
#define INFO(name, of_library) [CHTTP_INFO_##name] = CURLINFO_##of_library,

static const CURLoption string_options[] = {CHTTP_STRING_OPTIONS(OPTION)};
// New in 7.87. Passed by number, because the headers may be older than the library.
enum { OPTION_QUICK_EXIT = 322 };
static const CURLoption long_options[] = {
    CHTTP_LONG_OPTIONS(OPTION) [CHTTP_OPT_QUICK_EXIT] = (CURLoption)OPTION_QUICK_EXIT,
};
static const CURLoption blob_options[] = {CHTTP_BLOB_OPTIONS(BLOB)};

chttp_easy *chttp_easy_make(void) { return (chttp_easy *)curl_easy_init(); }
void chttp_easy_reset(chttp_easy *easy) { curl_easy_reset(EASY(easy)); }
void chttp_easy_free(chttp_easy *easy) { curl_easy_cleanup(EASY(easy)); }

int chttp_easy_set_string(chttp_easy *easy, chttp_string_option option, const char *value) {
    return (int)curl_easy_setopt(EASY(easy), string_options[option], value);
}

int chttp_easy_set_long(chttp_easy *easy, chttp_long_option option, long value) {
    return (int)curl_easy_setopt(EASY(easy), long_options[option], value);
}

// libcurl uses the parsed URL rather than the text. The text is set as well, because libcurl would
// otherwise build it from the parts.
int chttp_easy_set_url(chttp_easy *easy, const char *text, const chttp_url *url) {
    CURLcode code = curl_easy_setopt(EASY(easy), CURLOPT_URL, text);
    if (code == CURLE_OK && url) code = curl_easy_setopt(EASY(easy), CURLOPT_CURLU, (CURLU *)url);
    return (int)code;
}

int chttp_easy_set_http_version(chttp_easy *easy, chttp_http_version version) {
    static const long versions[] = {
        [CHTTP_HTTP_1_1] = CURL_HTTP_VERSION_1_1,
        [CHTTP_HTTP_2_TLS] = CURL_HTTP_VERSION_2TLS,
        // CURL_HTTP_VERSION_3ONLY, which headers before 7.88 lack. Such a library refuses it.
        [CHTTP_HTTP_3_ONLY] = 31,
    };
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_HTTP_VERSION, versions[version]);
}

static long tls_versions(int minimum, int maximum) {
    long versions = minimum == 3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2;
    if (maximum == 2) versions |= CURL_SSLVERSION_MAX_TLSv1_2;
    if (maximum == 3) versions |= CURL_SSLVERSION_MAX_TLSv1_3;
    return versions;
}

int chttp_easy_set_tls_versions(chttp_easy *easy, int minimum, int maximum) {
    return (int)curl_easy_setopt(
        EASY(easy), CURLOPT_SSLVERSION, tls_versions(minimum, maximum));
}

int chttp_easy_set_proxy_tls_versions(chttp_easy *easy, int minimum, int maximum) {
    return (int)curl_easy_setopt(
        EASY(easy), CURLOPT_PROXY_SSLVERSION, tls_versions(minimum, maximum));
}

int chttp_easy_set_blob(
    chttp_easy *easy, chttp_blob_option option, const void *bytes, size_t count
) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return (int)curl_easy_setopt(EASY(easy), blob_options[option], &blob);
}

int chttp_easy_set_upload_length(chttp_easy *easy, int64_t length) {
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
}

int chttp_easy_set_post_fields(chttp_easy *easy, const void *bytes, int64_t length) {
    CURLcode code =
        curl_easy_setopt(EASY(easy), CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    if (code != CURLE_OK) return (int)code;
    return (int)curl_easy_setopt(
        EASY(easy), CURLOPT_COPYPOSTFIELDS, length > 0 ? (const char *)bytes : "");
}

#define SET_POINTER(name, type, option) \
    int chttp_easy_set_##name(chttp_easy *easy, type value) { \
        return (int)curl_easy_setopt(EASY(easy), CURLOPT_##option, value); \
    }
SET_POINTER(headers, chttp_list *, HTTPHEADER)
SET_POINTER(connect_to, chttp_list *, CONNECT_TO)
SET_POINTER(resolve, chttp_list *, RESOLVE)
SET_POINTER(share, chttp_share *, SHARE)
SET_POINTER(private, void *, PRIVATE)
SET_POINTER(error_buffer, char *, ERRORBUFFER)

#define SET_CALLBACK(name, type, option) \
    int chttp_easy_set_##name(chttp_easy *easy, type callback, void *context) { \
        curl_easy_setopt(EASY(easy), CURLOPT_##option##DATA, context); \
        return (int)curl_easy_setopt(EASY(easy), CURLOPT_##option##FUNCTION, callback); \
    }
SET_CALLBACK(write, chttp_data_callback, WRITE)
SET_CALLBACK(read, chttp_data_callback, READ)
SET_CALLBACK(seek, chttp_seek_callback, SEEK)
SET_CALLBACK(trailers, chttp_trailer_callback, TRAILER)
SET_CALLBACK(prereq, chttp_prereq_callback, PREREQ)
SET_CALLBACK(lookup, chttp_lookup_callback, RESOLVER_START_)

void *chttp_easy_private(chttp_easy *easy) {
    char *context = NULL;
    curl_easy_getinfo(EASY(easy), CURLINFO_PRIVATE, &context);
    return context;
}

chttp_head *chttp_head_make(size_t capacity) {
    chttp_head *head = malloc(sizeof *head + capacity);
    if (head) *head = (chttp_head){.capacity = capacity, .tunnel = -1};
    return head;
}

void chttp_head_free(chttp_head *head) { free(head); }

int chttp_head_release(chttp_head *head) {
    const uint8_t *start = head->bytes;
    size_t left = head->count;
    head->gathers = 0;
    head->count = 0;
    while (left) {
        const uint8_t *end = memchr(start, '\n', left);
        size_t length = end ? (size_t)(end - start) + 1 : left;
        if (!head->line(head->context, start, length)) return 0;
        start += length;
        left -= length;
    }
    return 1;
}

// The sockets of this thread whose tunnels are not ready, with the kernel's numbers: libcurl may
// close a socket without a word, and its descriptor may then be another's.
static _Thread_local struct {
    int descriptor;
    uint64_t cookie;
} tunnels[256];
static _Thread_local size_t tunnel_count;

void chttp_expect_tunnel(int descriptor) {
    const uint64_t cookie = chttp_socket_cookie(descriptor);
    if (!cookie || tunnel_count == sizeof tunnels / sizeof tunnels[0]) return;
    tunnels[tunnel_count].descriptor = descriptor;
    tunnels[tunnel_count++].cookie = cookie;
}

void chttp_forget_tunnel(int descriptor) {
    for (size_t place = tunnel_count; place-- > 0;)
        if (tunnels[place].descriptor == descriptor) tunnels[place] = tunnels[--tunnel_count];
}

// Returns the number of bytes of the lines up to and with an empty one, or 0 if it has not come.
static size_t head_length(const char *bytes, size_t count) {
    for (size_t start = 0; start < count;) {
        const char *end = memchr(bytes + start, '\n', count - start);
        if (!end) return 0;
        const size_t length = (size_t)(end - bytes) + 1 - start;
        start += length;
        if (length == 1 || (length == 2 && end[-1] == '\r')) return start;
    }
    return 0;
}

// Interim responses (RFC 9110 §15.2), without the switch of protocols.
static int is_interim(const char *line, size_t count) {
    return count >= 12 && memcmp(line, "HTTP/1.", 7) == 0 && line[8] == ' ' && line[9] == '1'
        && memcmp(line + 9, "101", 3) != 0;
}

static ssize_t peek(int descriptor, char *space, size_t count) {
    ssize_t result;
    do {
        result = recv(descriptor, space, count, MSG_PEEK | MSG_DONTWAIT);
    } while (result < 0 && errno == EINTR);
    return result;
}

static const int interim_limit = 20;

// Drops interim responses that have come as a whole. libcurl gets the others.
static void drop_interim(int descriptor) {
    char bytes[4096];
    for (int count = 0; count < interim_limit; count++) {
        const ssize_t length = peek(descriptor, bytes, sizeof bytes);
        if (length <= 0 || !is_interim(bytes, (size_t)length)) return;
        const size_t head = head_length(bytes, (size_t)length);
        if (!head || recv(descriptor, bytes, head, MSG_DONTWAIT) != (ssize_t)head) return;
    }
}

// libcurl may read any socket in any action of a multi handle.
static void drop_all_interim(void) {
    for (size_t place = tunnel_count; place-- > 0;) {
        if (chttp_socket_cookie(tunnels[place].descriptor) == tunnels[place].cookie)
            drop_interim(tunnels[place].descriptor);
        else
            tunnels[place] = tunnels[--tunnel_count];
    }
}

void chttp_replace_interim(int descriptor, char *line, size_t length, int reads_ahead) {
    if (!is_interim(line, length) || length < 13) return;
    char bytes[4096];
    const ssize_t count = peek(descriptor, bytes, sizeof bytes);
    if (count <= 0) return;
    // The byte that was read ahead is an LF that ends the head, the CR before such an LF, or the
    // first one of a field. A field does not begin with "HTTP/1.".
    const int has_ended = reads_ahead && count >= 7 && memcmp(bytes, "HTTP/1.", 7) == 0;
    size_t start = has_ended ? 0 : head_length(bytes, (size_t)count);
    if (!start && !has_ended) return;
    for (int interims = 1; interims < interim_limit; interims++) {
        const char *next = bytes + start;
        const size_t left = (size_t)count - start;
        const size_t head = head_length(next, left);
        if (is_interim(next, left)) {
            if (!head) return;
            start += head;
            continue;
        }
        const char *end = memchr(next, '\n', left);
        if (!end || end - next < 12 || memcmp(next, "HTTP/1.", 7) != 0) return;
        const size_t status_line = (size_t)(end - next) + 1;
        size_t taken = start + status_line;
        if (reads_ahead) {
            // The byte ends the final head as well, or becomes the first one of the name of one of
            // its fields. Of a success, no field matters.
            if (!head || next[9] != '2') return;
            if (has_ended || bytes[0] == '\n')
                taken = start + head - (has_ended ? 0 : 1);
            else if (head <= status_line + 2)
                return;
        }
        char status[3];
        memcpy(status, next + 9, sizeof status);
        if (recv(descriptor, bytes, taken, MSG_DONTWAIT) == (ssize_t)taken)
            memcpy(line + 9, status, sizeof status);
        return;
    }
}

// From 8.18, libcurl reads the byte after a line, to see if the line is folded.
static int reads_ahead(void) { return curl_version_info(CURLVERSION_NOW)->version_num >= 0x081200; }

static size_t gather_line(char *data, size_t size, size_t count, void *context) {
    chttp_head *head = context;
    const size_t length = size * count;
    if (head->tunnel >= 0) {
        chttp_replace_interim(head->tunnel, data, length, reads_ahead());
        return head->tunnel_line(head->context, (uint8_t *)data, length) ? length : 0;
    }
    if (!head->gathers) return head->line(head->context, (uint8_t *)data, length) ? length : 0;
    if (head->count == 0) head->begun(head->context);
    if (length == 2 && data[0] == '\r' && data[1] == '\n') {
        head->gathers = 0;
        return head->complete(head->context, head->bytes, head->count) ? length : 0;
    }
    if (length <= head->capacity - head->count && length && data[length - 1] == '\n') {
        memcpy(head->bytes + head->count, data, length);
        head->count += length;
        return length;
    }
    if (!chttp_head_release(head)) return 0;
    return head->line(head->context, (uint8_t *)data, length) ? length : 0;
}

int chttp_easy_set_head(chttp_easy *easy, chttp_head *head) {
    curl_easy_setopt(EASY(easy), CURLOPT_HEADERDATA, head);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_HEADERFUNCTION, gather_line);
}

static int read_message(
    CURL *easy, curl_infotype type, char *message, size_t length, void *callback
) {
    static const char *const surplus[] = {"Leftovers after chunking", "Excess found"};
    void *context = NULL;
    if (type != CURLINFO_TEXT) return 0;
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context) != CURLE_OK) return 0;
    for (int index = 0; index < 2; index++) {
        // The message need not end with NUL.
        const size_t count = strlen(surplus[index]);
        if (length < count || memcmp(message, surplus[index], count) != 0) continue;
        (*(chttp_remark_callback *)&callback)(context, CHTTP_REMARK_SURPLUS);
    }
    return 0;
}

int chttp_easy_set_remark_observer(chttp_easy *easy, chttp_remark_callback callback) {
    if (!callback) return (int)curl_easy_setopt(EASY(easy), CURLOPT_VERBOSE, 0L);
    curl_easy_setopt(EASY(easy), CURLOPT_DEBUGFUNCTION, read_message);
    curl_easy_setopt(EASY(easy), CURLOPT_DEBUGDATA, *(void **)&callback);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_VERBOSE, 1L);
}

static chttp_address address_of(const struct sockaddr *address) {
    chttp_address result = {0};
    if (address->sa_family == AF_INET) {
        struct sockaddr_in inet;
        memcpy(&inet, address, sizeof inet);
        result.family = 4;
        result.port = ntohs(inet.sin_port);
        memcpy(result.bytes, &inet.sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 inet;
        memcpy(&inet, address, sizeof inet);
        result.family = 6;
        result.port = ntohs(inet.sin6_port);
        memcpy(result.bytes, &inet.sin6_addr, 16);
    }
    return result;
}

// Makes a socket that is closed in other programs and does not block. Returns -1 with errno.
static int make_socket(const chttp_socket_opener *opener, int family, int type, int protocol) {
#if defined(__linux__)
    int descriptor = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (descriptor >= 0 && type == SOCK_STREAM && family != AF_UNIX) {
        if (opener->user_timeout_ms)
            setsockopt(
                descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &opener->user_timeout_ms,
                sizeof opener->user_timeout_ms);
        if (opener->keepalive_probes)
            setsockopt(
                descriptor, IPPROTO_TCP, TCP_KEEPCNT, &opener->keepalive_probes,
                sizeof opener->keepalive_probes);
    }
#else
    (void)opener;
    int descriptor = socket(family, type, protocol);
    if (descriptor >= 0) {
        int on = 1;
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
#endif
    return descriptor;
}

static curl_socket_t open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address
) {
    (void)purpose;
    const chttp_socket_opener *opener = context;
    if (opener->permits) {
        const chttp_address target = address_of(&address->addr);
        if (!opener->permits(opener->context, &target)) return CURL_SOCKET_BAD;
    }
    int descriptor = make_socket(opener, address->family, address->socktype, address->protocol);
    if (descriptor < 0 && opener->failed) opener->failed(opener->context, errno);
    if (tunnel_count) chttp_forget_tunnel(descriptor);
    if (descriptor >= 0 && opener->opened) {
        const chttp_address target = address_of(&address->addr);
        opener->opened(opener->context, descriptor, &target);
    }
    return descriptor < 0 ? CURL_SOCKET_BAD : descriptor;
}

// Returns the size of the system's form of an address.
static socklen_t system_address(const chttp_address *address, struct sockaddr_storage *storage) {
    memset(storage, 0, sizeof *storage);
    if (address->family == 4) {
        struct sockaddr_in *inet = (struct sockaddr_in *)storage;
        inet->sin_family = AF_INET;
        inet->sin_port = htons(address->port);
        memcpy(&inet->sin_addr, address->bytes, 4);
        return sizeof *inet;
    }
    struct sockaddr_in6 *inet = (struct sockaddr_in6 *)storage;
    inet->sin6_family = AF_INET6;
    inet->sin6_port = htons(address->port);
    memcpy(&inet->sin6_addr, address->bytes, 16);
    return sizeof *inet;
}

int chttp_connect(
    const chttp_socket_opener *opener, const chttp_address *address, const chttp_address *local
) {
    struct sockaddr_storage storage;
    socklen_t size = system_address(address, &storage);
    int descriptor = make_socket(opener, storage.ss_family, SOCK_STREAM, IPPROTO_TCP);
    if (descriptor < 0) return -errno;
    if (tunnel_count) chttp_forget_tunnel(descriptor);
    // As libcurl is told to set them, see `Transfer+Setup`.
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#if defined(__linux__)
    int seconds = 15;
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
#endif
    struct sockaddr_storage from;
    int failure = 0;
    if (local) {
        socklen_t length = system_address(local, &from);
        if (bind(descriptor, (struct sockaddr *)&from, length) != 0) failure = errno;
    }
    if (!failure && connect(descriptor, (struct sockaddr *)&storage, size) != 0
        && errno != EINPROGRESS)
        failure = errno;
    if (!failure) return descriptor;
    close(descriptor);
    return -failure;
}

chttp_connection chttp_connection_state(int descriptor) {
#if defined(__linux__)
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return CHTTP_CONNECTION_OTHER;
    if (info.tcpi_state == TCP_SYN_SENT) return CHTTP_CONNECTION_CONNECTING;
    if (info.tcpi_state == TCP_CLOSE) return CHTTP_CONNECTION_OTHER;
    return CHTTP_CONNECTION_CONNECTED;
#else
    (void)descriptor;
    return CHTTP_CONNECTION_OTHER;
#endif
}

int chttp_socket_error(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

int chttp_replace(int descriptor, int source) {
#if defined(__linux__)
    int result;
    do {
        result = dup3(source, descriptor, O_CLOEXEC);
    } while (result < 0 && (errno == EINTR || errno == EBUSY));
    if (result < 0) return errno;
    for (size_t place = 0; place < tunnel_count; place++)
        if (tunnels[place].descriptor == descriptor)
            tunnels[place].cookie = chttp_socket_cookie(descriptor);
    return 0;
#else
    (void)descriptor, (void)source;
    return ENOTSUP;
#endif
}

int chttp_find_addresses(const char *host, int family, chttp_address *addresses, int capacity) {
    struct addrinfo *list = NULL;
    const struct addrinfo hints = {
        .ai_family = family == 4 ? AF_INET : family == 6 ? AF_INET6 : AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
    };
    if (getaddrinfo(host, NULL, &hints, &list) != 0) return 0;
    int count = 0;
    for (const struct addrinfo *next = list; next && count < capacity; next = next->ai_next) {
        const chttp_address address = address_of(next->ai_addr);
        if (address.family) addresses[count++] = address;
    }
    freeaddrinfo(list);
    return count;
}

static int close_socket(void *context, curl_socket_t descriptor) {
    const chttp_socket_closer *closer = context;
    if (tunnel_count) chttp_forget_tunnel(descriptor);
    if (closer->closed) closer->closed(closer->context, descriptor);
    return close(descriptor);
}

int chttp_easy_set_socket_opener(chttp_easy *easy, const chttp_socket_opener *opener) {
    curl_easy_setopt(EASY(easy), CURLOPT_OPENSOCKETDATA, (void *)opener);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

int chttp_easy_set_socket_closer(chttp_easy *easy, const chttp_socket_closer *closer) {
    curl_easy_setopt(EASY(easy), CURLOPT_CLOSESOCKETDATA, (void *)closer);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_CLOSESOCKETFUNCTION, close_socket);
}

// MARK: OpenSSL and its descendants

// Looked up by name: nothing here is linked against OpenSSL, and libcurl may have been built
// without it.
// For each function: what it returns, its name here and in the library, its parameters.
#define KEY_LOG(X) \
    X(void, ctx_set_keylog_callback, SSL_CTX_set_keylog_callback, \
        (void *ctx, void (*callback)(const void *, const char *))) \
    X(int, ctx_set_ex_data, SSL_CTX_set_ex_data, (void *ctx, int index, void *data)) \
    X(void *, ctx_get_ex_data, SSL_CTX_get_ex_data, (const void *ctx, int index)) \
    X(void *, get_ctx, SSL_get_SSL_CTX, (const void *ssl))
#define LOOKUPS(X) \
    X(void *, ctx_get_cert_store, SSL_CTX_get_cert_store, (const void *ctx)) \
    X(void, ctx_set_cert_store, SSL_CTX_set_cert_store, (void *ctx, void *store)) \
    X(void *, store_new, X509_STORE_new, (void)) \
    X(void, store_free, X509_STORE_free, (void *store)) \
    X(void *, store_get0_param, X509_STORE_get0_param, (const void *store)) \
    X(int, store_set1_param, X509_STORE_set1_param, (void *store, const void *param)) \
    X(void *, hash_dir_method, X509_LOOKUP_hash_dir, (void)) \
    X(int, lookup_ctrl, X509_LOOKUP_ctrl, \
        (void *lookup, int command, const char *text, long number, char **result)) \
    X(void *, store_add_lookup, X509_STORE_add_lookup, (void *store, void *method)) \
    X(int, store_add_cert, X509_STORE_add_cert, (void *store, void *certificate)) \
    X(void *, lookup_method_new, X509_LOOKUP_meth_new, (const char *name)) \
    X(int, lookup_method_set_get_by_subject, X509_LOOKUP_meth_set_get_by_subject, \
        (void *method, int (*get)(void *lookup, int type, const void *name, void *object))) \
    X(void *, lookup_get_store, X509_LOOKUP_get_store, (const void *lookup)) \
    X(int, object_set1_certificate, X509_OBJECT_set1_X509, (void *object, void *certificate)) \
    X(int, name_to_der, i2d_X509_NAME, (const void *name, unsigned char **out)) \
    X(int, name_compare, X509_NAME_cmp, (const void *a, const void *b)) \
    X(void *, certificate_from_der, d2i_X509, \
        (void **certificate, const unsigned char **in, long length)) \
    X(void *, certificate_subject, X509_get_subject_name, (const void *certificate)) \
    X(void, certificate_free, X509_free, (void *certificate))
#define OBSERVERS(X) \
    X(int, new_index, CRYPTO_get_ex_new_index, \
        (int kind, long number, void *pointer, void *make, void *copy, void *free)) \
    X(int, set_ex_data, SSL_set_ex_data, (void *ssl, int index, void *data)) \
    X(void *, get_ex_data, SSL_get_ex_data, (const void *ssl, int index)) \
    X(void, set_info_callback, SSL_set_info_callback, \
        (void *ssl, void (*callback)(const void *ssl, int where, int value))) \
    X(void *, get_read_bio, SSL_get_rbio, (const void *ssl)) \
    X(void, bio_set_callback, BIO_set_callback_ex, \
        (void *bio, \
            long (*callback)( \
                void *, int, const char *, size_t, int, long, int result, size_t *processed))) \
    X(void, bio_set_flags, BIO_set_flags, (void *bio, int flags)) \
    X(void, bio_clear_flags, BIO_clear_flags, (void *bio, int flags)) \
    X(int, bio_test_flags, BIO_test_flags, (const void *bio, int flags)) \
    X(void, bio_set_callback_arg, BIO_set_callback_arg, (void *bio, char *argument)) \
    X(char *, bio_get_callback_arg, BIO_get_callback_arg, (const void *bio))
#define OTHERS(X) \
    X(const char *, get_version, SSL_get_version, (const void *ssl)) \
    X(void, get_alpn, SSL_get0_alpn_selected, \
        (const void *ssl, const unsigned char **name, unsigned *length)) \
    X(int, has_pending, SSL_has_pending, (const void *ssl)) \
    X(void, thread_stop, OPENSSL_thread_stop, (void)) \
    X(int, ctx_get_verify_mode, SSL_CTX_get_verify_mode, (const void *ctx)) \
    X(void, ctx_set_verify, SSL_CTX_set_verify, \
        (void *ctx, int mode, int (*verify)(int is_good, void *store))) \
    X(int, verification, X509_STORE_CTX_get_error, (const void *store)) \
    X(unsigned long, peek_last_error, ERR_peek_last_error, (void)) \
    X(const char *, error_reason, ERR_reason_error_string, (unsigned long error))

#define MEMBER(result, name, symbol, parameters) result(*name) parameters;
static struct { KEY_LOG(MEMBER) LOOKUPS(MEMBER) OBSERVERS(MEMBER) OTHERS(MEMBER) } openssl;
static int has_openssl, has_lookups, has_observers;
// The place of a connection's number in its SSL*.
static int number_index = -1;
static pthread_once_t openssl_once = PTHREAD_ONCE_INIT;

#define FIND(result, name, symbol, parameters) \
    *(void **)&openssl.name = dlsym(RTLD_DEFAULT, #symbol);
#define FOUND(result, name, symbol, parameters) && openssl.name

static void find_openssl(void) {
    KEY_LOG(FIND) LOOKUPS(FIND) OBSERVERS(FIND) OTHERS(FIND)
    has_openssl = 1 KEY_LOG(FOUND);
    has_lookups = 1 LOOKUPS(FOUND);
    if (1 OBSERVERS(FOUND)) {
        const int ssl = 0;  // CRYPTO_EX_INDEX_SSL
        number_index = openssl.new_index(ssl, 0, NULL, NULL, NULL, NULL);
    }
    has_observers = number_index >= 0;
}

int chttp_tls_can_log_keys(void) {
    pthread_once(&openssl_once, find_openssl);
    return has_openssl;
}

void chttp_tls_thread_stop(void) {
    pthread_once(&openssl_once, find_openssl);
    if (openssl.thread_stop) openssl.thread_stop();
}

// OpenSSL reserves index 0 for applications. It holds the descriptor plus 1.
static void log_key(const void *ssl, const char *line) {
    intptr_t descriptor = (intptr_t)openssl.ctx_get_ex_data(openssl.get_ctx(ssl), 0) - 1;
    if (descriptor < 0) return;
    struct iovec pieces[] = {
        {.iov_base = (void *)line, .iov_len = strlen(line)}, {.iov_base = "\n", .iov_len = 1}};
    while (writev((int)descriptor, pieces, 2) < 0 && errno == EINTR) {}
}

chttp_certificate *chttp_certificate_make(const uint8_t *der, size_t count) {
    pthread_once(&openssl_once, find_openssl);
    if (!has_lookups || count > LONG_MAX) return NULL;
    const unsigned char *end = der;
    return openssl.certificate_from_der(NULL, &end, (long)count);
}

void chttp_certificate_free(chttp_certificate *certificate) {
    openssl.certificate_free(certificate);
}

struct chttp_authority_search {
    void *store;
    const void *name;
    chttp_certificate *first;
};

void chttp_authority_found(chttp_authority_search *search, chttp_certificate *certificate) {
    if (!openssl.store_add_cert(search->store, certificate) || search->first) return;
    if (openssl.name_compare(openssl.certificate_subject(certificate), search->name) == 0)
        search->first = certificate;
}

static chttp_authority_finder authority_finder;
static void *authority_lookup;

// OpenSSL takes the first certificate from the result, and the others from the store.
static int find_authority(void *lookup, int type, const void *name, void *result) {
    const int certificate = 1;  // X509_LU_X509
    if (type != certificate || !name) return 0;
    int count = openssl.name_to_der(name, NULL);
    unsigned char *der = count > 0 ? malloc((size_t)count) : NULL, *end = der;
    if (!der) return 0;
    openssl.name_to_der(name, &end);
    chttp_authority_search search = {.store = openssl.lookup_get_store(lookup), .name = name};
    authority_finder(&search, der, (size_t)count);
    free(der);
    if (!search.first || !openssl.object_set1_certificate(result, search.first)) return 0;
    // OpenSSL wants the store to have the only reference.
    openssl.certificate_free(search.first);
    return 1;
}

int chttp_tls_can_own_trust(void) {
    pthread_once(&openssl_once, find_openssl);
    return has_lookups;
}

int chttp_tls_set_authority_finder(chttp_authority_finder finder) {
    if (!chttp_tls_can_own_trust() || authority_lookup) return authority_lookup != NULL;
    void *method = openssl.lookup_method_new("authorities of the system");
    if (!method || !openssl.lookup_method_set_get_by_subject(method, find_authority)) return 0;
    authority_finder = finder;
    authority_lookup = method;
    return 1;
}

// Replaces the store that libcurl has filled. Keeps its flags.
static int own_trust(void *ctx, const chttp_tls_setup *setup) {
    const int add_dir = 2, pem = 1;  // X509_L_ADD_DIR, X509_FILETYPE_PEM
    void *store = openssl.store_new();
    if (!store) return 0;
    int is_done = openssl.store_set1_param(
        store, openssl.store_get0_param(openssl.ctx_get_cert_store(ctx)));
    if (is_done && setup->uses_finder)
        is_done = openssl.store_add_lookup(store, authority_lookup) != NULL;
    if (is_done && setup->directory) {
        void *lookup = openssl.store_add_lookup(store, openssl.hash_dir_method());
        is_done =
            lookup && openssl.lookup_ctrl(lookup, add_dir, setup->directory, pem, NULL) > 0;
    }
    if (is_done) openssl.ctx_set_cert_store(ctx, store);
    else openssl.store_free(store);
    return is_done;
}

static _Thread_local int last_verification;

static int note_verification(int is_good, void *store) {
    if (!is_good) last_verification = openssl.verification(store);
    return is_good;
}

int chttp_tls_take_verification(void) {
    const int result = last_verification;
    last_verification = 0;
    return result;
}

static CURLcode prepare_tls(CURL *easy, void *ctx, void *context) {
    (void)easy;
    const chttp_tls_setups *setups = context;
    const chttp_tls_setup *setup =
        setups->handshake(setups->context) ? setups->proxy : setups->server;
    if (openssl.ctx_get_verify_mode && openssl.ctx_set_verify && openssl.verification) {
        openssl.ctx_set_verify(ctx, openssl.ctx_get_verify_mode(ctx), note_verification);
        last_verification = 0;
    }
    if (!setup) return CURLE_OK;
    if ((setup->uses_finder || setup->directory) && !own_trust(ctx, setup))
        return CURLE_OUT_OF_MEMORY;
    if (setup->key_log == CHTTP_KEY_LOG_NONE) openssl.ctx_set_keylog_callback(ctx, NULL);
    if (setup->key_log < 0) return CURLE_OK;
    if (!openssl.ctx_set_ex_data(ctx, 0, (void *)((intptr_t)setup->key_log + 1)))
        return CURLE_OUT_OF_MEMORY;
    openssl.ctx_set_keylog_callback(ctx, log_key);
    return CURLE_OK;
}

static int can_prepare_tls(const chttp_tls_setup *setup) {
    if (!setup) return 1;
    if (setup->key_log != CHTTP_KEY_LOG_DEFAULT && !chttp_tls_can_log_keys()) return 0;
    if (setup->uses_finder && !authority_lookup) return 0;
    return !setup->directory || chttp_tls_can_own_trust();
}

int chttp_easy_prepare_tls(chttp_easy *easy, const chttp_tls_setups *setups) {
    pthread_once(&openssl_once, find_openssl);
    if (!can_prepare_tls(setups->server) || !can_prepare_tls(setups->proxy))
        return (int)CURLE_NOT_BUILT_IN;
    curl_easy_setopt(EASY(easy), CURLOPT_SSL_CTX_DATA, (void *)setups);
    return (int)curl_easy_setopt(EASY(easy), CURLOPT_SSL_CTX_FUNCTION, prepare_tls);
}

// Returns the connection's SSL*, or NULL.
static const void *ssl_of(chttp_easy *easy) {
    const struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(EASY(easy), CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info
        || info->backend != CURLSSLBACKEND_OPENSSL)
        return NULL;
    pthread_once(&openssl_once, find_openssl);
    return info->internals;
}

const char *chttp_easy_tls_version(chttp_easy *easy) {
    const void *ssl = ssl_of(easy);
    return ssl && openssl.get_version ? openssl.get_version(ssl) : NULL;
}

int chttp_easy_has_unread_records(chttp_easy *easy) {
    const void *ssl = ssl_of(easy);
    return ssl && openssl.has_pending && openssl.has_pending(ssl);
}

const char *chttp_easy_application_protocol(chttp_easy *easy) {
    static _Thread_local char text[32];
    const void *ssl = ssl_of(easy);
    if (!ssl || !openssl.get_alpn) return NULL;
    const unsigned char *name = NULL;
    unsigned length = 0;
    openssl.get_alpn(ssl, &name, &length);
    if (length >= sizeof text) length = sizeof text - 1;
    if (length) memcpy(text, name, length);
    text[length] = 0;
    return text;
}

// The alerts that have come last over this thread's connections.
static _Thread_local struct {
    uintptr_t connection;
    int alert;
} alerts[16];
static _Thread_local size_t alert_count;

static void note_alert(const void *ssl, int where, int value) {
    // SSL_CB_READ_ALERT. The number is below the level.
    if (where != 0x4004 || (value & 0xff) == 0) return;
    const size_t place = alert_count++ % (sizeof alerts / sizeof alerts[0]);
    alerts[place].connection = (uintptr_t)openssl.get_ex_data(ssl, number_index);
    alerts[place].alert = value & 0xff;
}

int chttp_tls_alert(uint64_t connection) {
    for (size_t place = 0; connection && place < sizeof alerts / sizeof alerts[0]; place++)
        if (alerts[place].connection == connection) return alerts[place].alert;
    return -1;
}

const char *chttp_tls_last_reason(void) {
    pthread_once(&openssl_once, find_openssl);
    if (!openssl.peek_last_error || !openssl.error_reason) return NULL;
    return openssl.error_reason(openssl.peek_last_error());
}

// The bytes read from all limited connections since this thread's last action of a multi handle
// began. The limit is some thirty thousand frames without a body, which take a few milliseconds.
static const size_t read_limit = 256 << 10;
static _Thread_local size_t read_count;
// 1 if the last read on this thread has come to the end of its connection.
static _Thread_local int has_ended;

// What is asked of the BIO of a connection, as its callback's argument.
enum { READS_AFTER_RESET = 1, REQUIRES_END = 2, LIMITS_READING = 4 };

static void change_bio(const void *ssl, intptr_t added, intptr_t removed) {
    void *bio = openssl.get_read_bio(ssl);
    if (!bio) return;
    const intptr_t flags = (intptr_t)openssl.bio_get_callback_arg(bio);
    openssl.bio_set_callback_arg(bio, (char *)((flags | added) & ~removed));
}

static long observe_bio(
    void *bio, int operation, const char *bytes, size_t length, int argument, long long_argument,
    int result, size_t *processed
) {
    (void)bytes;
    (void)long_argument;
    // OpenSSL's BIO_CB_READ, _WRITE, _CTRL and _RETURN; BIO_CTRL_EOF; BIO_FLAGS_RWS with
    // _SHOULD_RETRY; _SHOULD_RETRY; _SHOULD_RETRY with _READ.
    enum {
        READ = 0x02, WRITE = 0x03, CTRL = 0x06, RETURN = 0x80, END = 2, RETRIES = 0x0f,
        RETRY = 0x08, RETRY_READ = 0x09
    };
    const intptr_t flags = (intptr_t)openssl.bio_get_callback_arg(bio);
    switch (operation) {
    case READ:
        if (!(flags & LIMITS_READING) || read_count < read_limit) break;
        // Acts as if the socket had nothing more to read. The socket is level-triggered, so it is
        // reported again.
        openssl.bio_clear_flags(bio, RETRIES);
        openssl.bio_set_flags(bio, RETRY_READ);
        return -1;
    case READ | RETURN:
        has_ended = result == 0;
        if (flags & LIMITS_READING && result > 0 && processed) read_count += *processed;
        break;
    case WRITE | RETURN:
        // Acts as if the bytes were written. What the peer has sent before it reset the connection
        // can still be read, and the end of the connection after it.
        if (!(flags & READS_AFTER_RESET) || result > 0 || !processed) break;
        if (openssl.bio_test_flags(bio, RETRY) || (errno != ECONNRESET && errno != EPIPE)) break;
        *processed = length;
        return 1;
    case CTRL | RETURN:
        if (argument == END && flags & REQUIRES_END && has_ended) return 1;
        break;
    }
    return result;
}

uint64_t chttp_easy_observe_tls(chttp_easy *easy) {
    void *ssl = (void *)ssl_of(easy);
    if (!ssl || !has_observers) return 0;
    uintptr_t number = (uintptr_t)openssl.get_ex_data(ssl, number_index);
    if (number) {
        change_bio(ssl, 0, READS_AFTER_RESET);
        return number;
    }
    static atomic_uintptr_t last_number;
    number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
    if (!openssl.set_ex_data(ssl, number_index, (void *)number)) return 0;
    openssl.set_info_callback(ssl, note_alert);
    void *bio = openssl.get_read_bio(ssl);
    if (bio) openssl.bio_set_callback(bio, observe_bio);
    change_bio(ssl, READS_AFTER_RESET, 0);
    return number;
}

static void ask_bio(chttp_easy *easy, intptr_t flag) {
    const void *ssl = ssl_of(easy);
    if (ssl && has_observers && openssl.get_ex_data(ssl, number_index)) change_bio(ssl, flag, 0);
}

void chttp_easy_read_after_reset(chttp_easy *easy) { ask_bio(easy, READS_AFTER_RESET); }
void chttp_easy_require_tls_end(chttp_easy *easy) { ask_bio(easy, REQUIRES_END); }
void chttp_easy_limit_reading(chttp_easy *easy) { ask_bio(easy, LIMITS_READING); }

const char *chttp_easy_certificate(chttp_easy *easy, int index) {
    struct curl_certinfo *chain = NULL;
    if (curl_easy_getinfo(EASY(easy), CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain
        || index < 0 || index >= chain->num_of_certs)
        return NULL;
    for (struct curl_slist *line = chain->certinfo[index]; line; line = line->next)
        if (strncmp(line->data, "Cert:", 5) == 0) return line->data;
    return NULL;
}

// MARK: Files in memory

int chttp_memory_file(const void *bytes, size_t count) {
#if defined(__linux__)
    int descriptor = memfd_create("http-curl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    for (size_t written = 0; written < count;) {
        ssize_t length = write(descriptor, (const char *)bytes + written, count - written);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) {
            int failure = errno;
            close(descriptor);
            errno = failure;
            return -1;
        }
        written += (size_t)length;
    }
    fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    return descriptor;
#else
    (void)bytes;
    (void)count;
    errno = ENOSYS;
    return -1;
#endif
}

int chttp_reserve(int descriptor, int64_t offset, int64_t count) {
#if defined(__linux__)
    while (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, count) != 0) {
        if (errno == ENOSPC) return ENOSPC;
        if (errno != EINTR) return 0;
    }
#else
    (void)descriptor;
    (void)offset;
    (void)count;
#endif
    return 0;
}

size_t chttp_read_cached(int descriptor, void *space, size_t count, int64_t offset) {
#if defined(__linux__) && defined(RWF_NOWAIT)
    struct iovec vector = {.iov_base = space, .iov_len = count};
    ssize_t result;
    do {
        result = preadv2(descriptor, &vector, 1, offset, RWF_NOWAIT);
    } while (result < 0 && errno == EINTR);
    // Linux 5.9 and 5.10 return 0 for bytes that are not in memory, which is not the end of the
    // file.
    if (result >= 0) return (size_t)result;
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) return 0;
    // The file system does not support RWF_NOWAIT. One in memory can be read anyway: it waits for
    // nothing but swap.
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) return 0;
    if (system.f_type != TMPFS_MAGIC && system.f_type != RAMFS_MAGIC) return 0;
    do {
        result = pread(descriptor, space, count, offset);
    } while (result < 0 && errno == EINTR);
    return result > 0 ? (size_t)result : 0;
#else
    (void)descriptor;
    (void)space;
    (void)count;
    (void)offset;
    return 0;
#endif
}

// MARK: The rest of a handle

int chttp_easy_pause(chttp_easy *easy, int receiving, int sending) {
    int mask = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0);
    chttp_library_depth++;
    const CURLcode code = curl_easy_pause(EASY(easy), mask);
    chttp_library_depth--;
    return (int)code;
}

const char *chttp_easy_error_text(int code) { return curl_easy_strerror((CURLcode)code); }

long chttp_easy_long(chttp_easy *easy, chttp_long_info info) {
    static const CURLINFO infos[] = {CHTTP_LONG_INFOS(INFO)};
    long value = 0;
    return curl_easy_getinfo(EASY(easy), infos[info], &value) == CURLE_OK ? value : 0;
}

int64_t chttp_easy_offset(chttp_easy *easy, chttp_offset_info info) {
    static const CURLINFO infos[] = {CHTTP_OFFSET_INFOS(INFO)};
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

// MARK: URLs

chttp_url *chttp_url_make(const char *text) {
    CURLU *url = curl_url();
    // The flags that a transfer uses to parse an absolute URL.
    if (url && curl_url_set(url, CURLUPART_URL, text, CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)) {
        curl_url_cleanup(url);
        return NULL;
    }
    return (chttp_url *)url;
}

void chttp_url_free(chttp_url *url) { curl_url_cleanup((CURLU *)url); }

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

int chttp_multi_set_limits(
    chttp_multi *multi, long cached_connections, long streams, long connections
) {
    curl_multi_setopt(MULTI(multi), CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
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

static void begin_action(void) {
    read_count = 0;
    if (tunnel_count) drop_all_interim();
    chttp_library_depth++;
}

static int end_action(CURLMcode code) {
    chttp_library_depth--;
    return (int)code;
}

int chttp_multi_socket_action(chttp_multi *multi, int descriptor, int events) {
    int running = 0;
    begin_action();
    return end_action(curl_multi_socket_action(MULTI(multi), descriptor, events, &running));
}

int chttp_multi_timeout_action(chttp_multi *multi) {
    return chttp_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0);
}

int chttp_multi_perform(chttp_multi *multi) {
    int running = 0;
    begin_action();
    return end_action(curl_multi_perform(MULTI(multi), &running));
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
    // The kernel removes a closed descriptor by itself. If the number was reused unnoticed, the new
    // descriptor may already be registered.
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

#else  // kqueue: compiled for Apple platforms, not tested there

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
    char bytes[64];
    ssize_t count;
    do {
        count = read(read_end, bytes, sizeof bytes);
    } while (count == sizeof bytes || (count < 0 && errno == EINTR));
}

int chttp_poller_set(int poller, int descriptor, int previous, int interest) {
    struct kevent changes[2];
    int count = 0;
    if ((previous ^ interest) & CHTTP_POLL_IN)
        EV_SET(
            &changes[count++], descriptor, EVFILT_READ,
            interest & CHTTP_POLL_IN ? EV_ADD : EV_DELETE, 0, 0, NULL);
    if ((previous ^ interest) & CHTTP_POLL_OUT)
        EV_SET(
            &changes[count++], descriptor, EVFILT_WRITE,
            interest & CHTTP_POLL_OUT ? EV_ADD : EV_DELETE, 0, 0, NULL);
    if (count == 0 || kevent(poller, changes, count, NULL, 0, NULL) == 0) return 0;
    return errno == ENOENT || errno == EBADF ? 0 : errno;
}

int chttp_poller_wait(int poller, chttp_event *events, int capacity, int timeout_ms) {
    struct kevent ready[128];
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    int count = kevent(
        poller, NULL, 0, ready, capacity < 128 ? capacity : 128,
        timeout_ms < 0 ? NULL : &timeout);
    for (int index = 0; index < count; index++) {
        events[index].descriptor = (int)ready[index].ident;
        events[index].events =
            ready[index].filter == EVFILT_WRITE ? CHTTP_SELECT_OUT : CHTTP_SELECT_IN;
        if (ready[index].flags & EV_ERROR) events[index].events |= CHTTP_SELECT_ERR;
    }
    return count;
}

#endif

void chttp_close(int descriptor) { close(descriptor); }

// MARK: Kept connections

int chttp_is_readable(int descriptor) {
    char byte;
    ssize_t count;
    do {
        count = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

int chttp_has_input(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 && count > 0;
}

void chttp_shutdown(int descriptor) {
    char dropped[4096];
    shutdown(descriptor, SHUT_RDWR);
    // Bytes that have arrived can still be read, and libcurl would consider the connection alive.
    for (int pieces = 0; pieces < 256; pieces++) {
        ssize_t count = recv(descriptor, dropped, sizeof dropped, MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
}

int chttp_local_port(int descriptor) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (getsockname(descriptor, (struct sockaddr *)&storage, &size) != 0) return 0;
    return address_of((struct sockaddr *)&storage).port;
}

uint64_t chttp_socket_cookie(int descriptor) {
    uint64_t cookie = 0;
#ifdef SO_COOKIE
    socklen_t size = sizeof cookie;
    if (getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) != 0) return 0;
#endif
    return cookie;
}

int64_t chttp_datagram_age_ns(int descriptor) {
#if defined(SIOCGSTAMPNS)
    struct timespec stamp, now;
    if (ioctl(descriptor, SIOCGSTAMPNS, &stamp) || clock_gettime(CLOCK_REALTIME, &now)) return -1;
    const int64_t age =
        (int64_t)(now.tv_sec - stamp.tv_sec) * 1000000000 + now.tv_nsec - stamp.tv_nsec;
    return age < 0 ? 0 : age;
#else
    (void)descriptor;
    return -1;
#endif
}

int64_t chttp_receive_age_ms(int descriptor) {
#if defined(__linux__)
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
    return info.tcpi_last_data_recv;
#else
    (void)descriptor;
    return -1;
#endif
}

size_t chttp_peek(int descriptor, void *space, size_t count) {
    const ssize_t copied = recv(descriptor, space, count, MSG_PEEK | MSG_DONTWAIT);
    return copied > 0 ? (size_t)copied : 0;
}

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
    // The thread inherits the mask: signals go to the threads of the program.
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

// A number that no other running thread has.
uintptr_t chttp_thread_current(void) { return (uintptr_t)pthread_self(); }

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
