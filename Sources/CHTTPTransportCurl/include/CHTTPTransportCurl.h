// The C boundary of HTTPTransportCurl: libcurl's variadic calls with one function per argument
// type, and what epoll (kqueue on Apple) and pthread need of C. No decisions are taken here.
//
// curl.h stays out of this header: its macros change their types between versions, so that Swift
// would import something else on every machine. Options, codes and bits are our own constants.

#ifndef CHTTP_TRANSPORT_CURL_H
#define CHTTP_TRANSPORT_CURL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct chttp_easy chttp_easy;
typedef struct chttp_multi chttp_multi;
typedef struct chttp_share chttp_share;
typedef struct chttp_list chttp_list;
typedef struct chttp_url chttp_url;

// MARK: The library

typedef struct {
    uint32_t version;  // 0xXXYYZZ
    const char *version_text;
    const char *_Nullable tls_text;
    int has_http2, has_http3, has_tls, has_zlib, has_brotli, has_zstd;
    int has_unix_sockets, has_https_proxy;
} chttp_library;

// Initialises libcurl once per process, for as long as that lives; 0 or its error code.
int chttp_global_init(void);
// Valid after chttp_global_init; the texts live as long as the process.
chttp_library chttp_library_info(void);

// MARK: Easy handles

typedef enum {
    CHTTP_OPT_CUSTOM_REQUEST, CHTTP_OPT_PROXY, CHTTP_OPT_PROTOCOLS,
    CHTTP_OPT_ACCEPT_ENCODING, CHTTP_OPT_CA_FILE, CHTTP_OPT_CA_DIRECTORY, CHTTP_OPT_REQUEST_TARGET,
    CHTTP_OPT_PROXY_CA_FILE, CHTTP_OPT_PROXY_CA_DIRECTORY, CHTTP_OPT_PINNED_PUBLIC_KEY,
    CHTTP_OPT_CERTIFICATE_FILE, CHTTP_OPT_CERTIFICATE_TYPE, CHTTP_OPT_KEY_FILE, CHTTP_OPT_KEY_TYPE,
    CHTTP_OPT_KEY_PASSWORD, CHTTP_OPT_CIPHERS, CHTTP_OPT_TLS_1_3_CIPHERS, CHTTP_OPT_NO_PROXY,
    CHTTP_OPT_PROXY_USER, CHTTP_OPT_PROXY_PASSWORD, CHTTP_OPT_UNIX_SOCKET,
    CHTTP_OPT_ABSTRACT_UNIX_SOCKET, CHTTP_OPT_INTERFACE,
} chttp_string_option;

typedef enum {
    CHTTP_OPT_NO_BODY, CHTTP_OPT_POST, CHTTP_OPT_UPLOAD, CHTTP_OPT_NO_SIGNAL,
    CHTTP_OPT_SUPPRESS_CONNECT_HEADERS, CHTTP_OPT_VERIFY_PEER, CHTTP_OPT_VERIFY_HOST,
    CHTTP_OPT_CONNECT_TIMEOUT_MS, CHTTP_OPT_BUFFER_SIZE, CHTTP_OPT_UPLOAD_BUFFER_SIZE,
    CHTTP_OPT_PIPE_WAIT, CHTTP_OPT_QUICK_EXIT, CHTTP_OPT_TCP_KEEPALIVE,
    CHTTP_OPT_MAX_AGE_CONNECTION, CHTTP_OPT_TCP_KEEPIDLE, CHTTP_OPT_TCP_KEEPINTVL,
    CHTTP_OPT_CERTIFICATE_INFO, CHTTP_OPT_PROXY_VERIFY_PEER, CHTTP_OPT_PROXY_VERIFY_HOST,
    CHTTP_OPT_MAX_LIFETIME_CONNECTION, CHTTP_OPT_IP_RESOLVE, CHTTP_OPT_EXPECT_TIMEOUT_MS,
    CHTTP_OPT_ADDRESS_SCOPE, CHTTP_OPT_FRESH_CONNECT, CHTTP_OPT_FORBID_REUSE,
} chttp_long_option;

typedef enum {
    CHTTP_BLOB_CERTIFICATE, CHTTP_BLOB_KEY, CHTTP_BLOB_CA, CHTTP_BLOB_PROXY_CA,
} chttp_blob_option;

typedef enum {
    CHTTP_PROXY_HTTP, CHTTP_PROXY_HTTPS, CHTTP_PROXY_SOCKS4, CHTTP_PROXY_SOCKS4A,
    CHTTP_PROXY_SOCKS5, CHTTP_PROXY_SOCKS5H,
} chttp_proxy_type;

typedef enum { CHTTP_HTTP_1_1, CHTTP_HTTP_2_TLS, CHTTP_HTTP_3_ONLY } chttp_http_version;

typedef size_t (*chttp_data_callback)(
    char *data, size_t size, size_t count, void *_Nullable context);
typedef int (*chttp_seek_callback)(void *_Nullable context, int64_t offset, int origin);
typedef int (*chttp_prereq_callback)(
    void *_Nullable context, char *_Nullable primary_ip, char *_Nullable local_ip,
    int primary_port, int local_port);

// What a write callback answers to end the transfer, and a read callback to end or to pause it.
#define CHTTP_WRITE_ERROR ((size_t)0xFFFFFFFF)
#define CHTTP_READ_ABORT ((size_t)0x10000000)
#define CHTTP_READ_PAUSE ((size_t)0x10000001)

// Fills `list` with the lines of trailer fields, which libcurl then owns; 0, or 1 to end the transfer.
typedef int (*chttp_trailer_callback)(
    chttp_list *_Nullable *_Nonnull list, void *_Nullable context);

chttp_easy *_Nullable chttp_easy_make(void);
void chttp_easy_reset(chttp_easy *easy);
void chttp_easy_free(chttp_easy *easy);
int chttp_easy_set_string(
    chttp_easy *easy, chttp_string_option option, const char *_Nullable value);
int chttp_easy_set_long(chttp_easy *easy, chttp_long_option option, long value);
// `text` is copied, and `url`, if any, is what it says; that must outlive the transfer.
int chttp_easy_set_url(chttp_easy *easy, const char *text, const chttp_url *_Nullable url);
int chttp_easy_set_http_version(chttp_easy *easy, chttp_http_version version);
// From 1.2 or 1.3 (2, 3) up to 1.2, 1.3 or what the library can (2, 3, 0).
int chttp_easy_set_tls_versions(chttp_easy *easy, int minimum, int maximum);
int chttp_easy_set_proxy_type(chttp_easy *easy, chttp_proxy_type type);
// Copies `count` bytes.
int chttp_easy_set_blob(
    chttp_easy *easy, chttp_blob_option option, const void *bytes, size_t count);
int chttp_easy_set_upload_length(chttp_easy *easy, int64_t length);
// Copies `length` bytes.
int chttp_easy_set_post_fields(chttp_easy *easy, const void *_Nullable bytes, int64_t length);
// The list must outlive the transfer.
int chttp_easy_set_headers(chttp_easy *easy, chttp_list *_Nullable list);
// As above; "host:port:to-host:to-port".
int chttp_easy_set_connect_to(chttp_easy *easy, chttp_list *_Nullable list);
// As above; "host:port:address,address".
int chttp_easy_set_resolve(chttp_easy *easy, chttp_list *_Nullable list);
int chttp_easy_set_share(chttp_easy *easy, chttp_share *_Nullable share);
int chttp_easy_set_private(chttp_easy *easy, void *_Nullable context);
void *_Nullable chttp_easy_private(chttp_easy *easy);
int chttp_easy_set_write(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_header(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_read(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_seek(chttp_easy *easy, chttp_seek_callback callback, void *context);
int chttp_easy_set_trailers(chttp_easy *easy, chttp_trailer_callback callback, void *context);
int chttp_easy_set_prereq(chttp_easy *easy, chttp_prereq_callback callback, void *context);
// What the library says in words, and in no other way.
typedef enum {
    CHTTP_REMARK_STREAM,   // the request is that stream; 7.88 to 8.0
    CHTTP_REMARK_LEFT,     // it is repeated, on another connection; 7.88 to 8.0
    CHTTP_REMARK_GOAWAY,   // on its connection, no stream above this one is processed; 7.88 to 8.0
    CHTTP_REMARK_SURPLUS,  // bytes that were read with the end of a response are dropped
} chttp_remark;
typedef void (*chttp_remark_callback)(void *_Nullable context, chttp_remark remark, uint32_t number);
// Has the library format its messages, of which only those above are passed on, with the handle's
// private context. Also during a transfer.
int chttp_easy_set_remark_observer(chttp_easy *easy, chttp_remark_callback callback);
// An address about to be connected to; the family is 4 or 6, or 0 for what has no IP address.
typedef struct {
    int family;
    uint16_t port;
    uint8_t bytes[16];
} chttp_address;
typedef void (*chttp_socket_callback_for_descriptor)(void *_Nullable context, int descriptor);
// How sockets are made: close-on-exec, non-blocking, and only where `permits` (if any) answers 1.
typedef struct {
    void *_Nullable context;
    int (*_Nullable permits)(void *_Nullable context, const chttp_address *address);
    _Nullable chttp_socket_callback_for_descriptor opened;
    // There is no socket to be had; with errno.
    void (*_Nullable failed)(void *_Nullable context, int error);
    // 0 leaves the system's.
    unsigned user_timeout_ms;
    int keepalive_probes;
} chttp_socket_opener;
// `opener` must outlive the transfer.
int chttp_easy_set_socket_opener(chttp_easy *easy, const chttp_socket_opener *opener);
typedef struct {
    void *_Nullable context;
    _Nullable chttp_socket_callback_for_descriptor closed;
} chttp_socket_closer;
// `closer` must outlive every connection, which live as long as the multi handle.
int chttp_easy_set_socket_closer(chttp_easy *easy, const chttp_socket_closer *closer);

// MARK: What only OpenSSL and its descendants can

// Whether this process has the functions; asked once.
int chttp_tls_can_log_keys(void);
// Frees what the library keeps for the calling thread, which it would else do when the thread ends.
void chttp_tls_thread_stop(void);
// Writes the secrets of new connections to `descriptor`, or with -1 keeps the library from
// writing them where its environment says.
int chttp_easy_set_key_log(chttp_easy *easy, int descriptor);
// Of the connection that the transfer uses now, as in "TLSv1.3"; NULL where it is not known.
const char *_Nullable chttp_easy_tls_version(chttp_easy *easy);
// What ALPN agreed on, as in "h2", "http/1.1" or "" for nothing; NULL where it is not known. Lives
// until the next call on this thread.
const char *_Nullable chttp_easy_application_protocol(chttp_easy *easy);
// Whether the TLS library has taken bytes of that connection that nothing has read yet; 0 where it is
// not known.
int chttp_easy_has_unread_records(chttp_easy *easy);
// Bounds what one action of a multi handle reads from the connection in use, which is tried again
// with the next one. Needs OpenSSL, and does nothing without.
void chttp_easy_limit_reading(chttp_easy *easy);
// A certificate that the server sent, its own first, in PEM with "Cert:" before it; NULL beyond the
// last. Lives until the handle is used again. Needs CHTTP_OPT_CERTIFICATE_INFO.
const char *_Nullable chttp_easy_certificate(chttp_easy *easy, int index);

// MARK: Files in memory

// A close-on-exec descriptor of a file that cannot be changed any more; -1 and errno (ENOSYS where
// the system has no such files).
int chttp_memory_file(const void *bytes, size_t count);
// Has the file system set room aside, without making the file longer. ENOSPC when there is none; 0
// also where it cannot.
int chttp_reserve(int descriptor, int64_t offset, int64_t count);

/// Reads what can be read without waiting for a disk. Answers with how many bytes; 0 when there is nothing to be
/// had that way, for whatever reason, and somebody must read who may wait.
size_t chttp_read_cached(int descriptor, void *space, size_t count, int64_t offset);

// MARK: The rest of a handle
// A buffer of at least CHTTP_ERROR_SIZE bytes that outlives the transfer.
#define CHTTP_ERROR_SIZE 256
int chttp_easy_set_error_buffer(chttp_easy *easy, char *_Nullable buffer);
int chttp_easy_pause(chttp_easy *easy, int receiving, int sending);
const char *chttp_easy_error_text(int code);

typedef enum {
    CHTTP_INFO_HTTP_VERSION, CHTTP_INFO_NUM_CONNECTS, CHTTP_INFO_REQUEST_SIZE,
    CHTTP_INFO_OS_ERRNO, CHTTP_INFO_RESPONSE_CODE, CHTTP_INFO_VERIFY_RESULT,
    CHTTP_INFO_PROXY_ERROR, CHTTP_INFO_CONNECT_CODE, CHTTP_INFO_HEADER_SIZE,
} chttp_long_info;
typedef enum {
    CHTTP_INFO_NAME_LOOKUP_TIME, CHTTP_INFO_CONNECT_TIME, CHTTP_INFO_APP_CONNECT_TIME,
    CHTTP_INFO_SIZE_UPLOAD, CHTTP_INFO_SIZE_DOWNLOAD, CHTTP_INFO_CONTENT_LENGTH,
} chttp_offset_info;
// 0 where the library does not know.
long chttp_easy_long(chttp_easy *easy, chttp_long_info info);
int64_t chttp_easy_offset(chttp_easy *easy, chttp_offset_info info);
// The library's own trust store; NULL where it has none. Lives as long as the handle.
const char *_Nullable chttp_easy_default_ca_file(chttp_easy *easy);
const char *_Nullable chttp_easy_default_ca_directory(chttp_easy *easy);

// MARK: Lists of strings

// Copies `line`. NULL when out of memory, the list is then as it was.
chttp_list *_Nullable chttp_list_append(chttp_list *_Nullable list, const char *line);
void chttp_list_free(chttp_list *_Nullable list);

// MARK: URLs

// What `text` says, taken apart as a transfer would; NULL where libcurl cannot.
chttp_url *_Nullable chttp_url_make(const char *text);
void chttp_url_free(chttp_url *url);

// MARK: Multi handles and shares

#define CHTTP_POLL_NONE 0
#define CHTTP_POLL_IN 1
#define CHTTP_POLL_OUT 2
#define CHTTP_POLL_INOUT 3
#define CHTTP_POLL_REMOVE 4
#define CHTTP_SELECT_IN 1
#define CHTTP_SELECT_OUT 2
#define CHTTP_SELECT_ERR 4

typedef int (*chttp_socket_callback)(
    void *_Nullable easy, int descriptor, int what, void *_Nullable context,
    void *_Nullable socket_context);
typedef int (*chttp_timer_callback)(
    void *_Nullable multi, long timeout_ms, void *_Nullable context);

chttp_multi *_Nullable chttp_multi_make(void);
// Calls the socket callback and the sockets' observers.
int chttp_multi_free(chttp_multi *multi);
int chttp_multi_set_callbacks(
    chttp_multi *multi, chttp_socket_callback socket, chttp_timer_callback timer, void *context);
// `connections` 0 is no limit.
int chttp_multi_set_limits(
    chttp_multi *multi, long cached_connections, long streams, long connections);
int chttp_multi_add(chttp_multi *multi, chttp_easy *easy);
int chttp_multi_remove(chttp_multi *multi, chttp_easy *easy);
int chttp_multi_socket_action(chttp_multi *multi, int descriptor, int events);
int chttp_multi_timeout_action(chttp_multi *multi);
// Milliseconds, or -1 for none.
long chttp_multi_timeout(chttp_multi *multi);
// The next finished transfer, or NULL.
chttp_easy *_Nullable chttp_multi_next_done(chttp_multi *multi, int *result);
const char *chttp_multi_error_text(int code);

// Shares TLS sessions between the handles of one thread.
chttp_share *_Nullable chttp_share_make(void);
void chttp_share_free(chttp_share *share);

// MARK: Waiting

typedef struct {
    int descriptor;
    int events;  // CHTTP_SELECT_…
} chttp_event;

// A close-on-exec epoll instance or kqueue; -1 and errno on failure.
int chttp_poller_make(void);
// A close-on-exec, non-blocking descriptor that can be signalled; on Linux both ends are one.
int chttp_waker_make(int *read_end, int *write_end);
void chttp_waker_signal(int write_end);
void chttp_waker_drain(int read_end);
// `interest` and `previous` are CHTTP_POLL_NONE, IN, OUT or INOUT. 0 or errno.
int chttp_poller_set(int poller, int descriptor, int previous, int interest);
// The number of events, or -1 and errno.
int chttp_poller_wait(int poller, chttp_event *events, int capacity, int timeout_ms);
void chttp_close(int descriptor);

// MARK: Kept connections

// Whether something can be read, or the connection has ended.
int chttp_is_readable(int descriptor);
// In both directions; what has arrived and was not read is dropped.
void chttp_shutdown(int descriptor);
// 0 where it has none.
int chttp_local_port(int descriptor);

// MARK: Threads

// A detached thread with every signal blocked. 0 or an error number.
int chttp_thread_start(void (*body)(void *context), void *context, const char *name);
int64_t chttp_monotonic_ns(void);
// How long the calling thread has computed.
int64_t chttp_thread_time_ns(void);
// Counts the forks between the process that was first and this one.
int chttp_fork_generation(void);

#pragma clang assume_nonnull end
#endif
