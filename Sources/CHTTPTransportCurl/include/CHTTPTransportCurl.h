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

// MARK: The library

typedef struct {
    uint32_t version;  // 0xXXYYZZ
    const char *version_text;
    const char *_Nullable tls_text;
    int has_http2, has_http3, has_tls, has_brotli, has_zstd, has_unix_sockets;
} chttp_library;

// Initialises libcurl once per process; 0 or its error code.
int chttp_global_init(void);
// Valid after chttp_global_init; the texts live as long as the process.
chttp_library chttp_library_info(void);

// MARK: Easy handles

typedef enum {
    CHTTP_OPT_URL, CHTTP_OPT_CUSTOM_REQUEST, CHTTP_OPT_PROXY, CHTTP_OPT_PROTOCOLS,
    CHTTP_OPT_ACCEPT_ENCODING, CHTTP_OPT_CA_FILE, CHTTP_OPT_CA_DIRECTORY, CHTTP_OPT_REQUEST_TARGET,
} chttp_string_option;

typedef enum {
    CHTTP_OPT_HTTP_GET, CHTTP_OPT_NO_BODY, CHTTP_OPT_POST, CHTTP_OPT_UPLOAD, CHTTP_OPT_NO_SIGNAL,
    CHTTP_OPT_FOLLOW_LOCATION, CHTTP_OPT_HTTP09_ALLOWED, CHTTP_OPT_SUPPRESS_CONNECT_HEADERS,
    CHTTP_OPT_PATH_AS_IS, CHTTP_OPT_DISALLOW_USERNAME, CHTTP_OPT_VERIFY_PEER,
    CHTTP_OPT_VERIFY_HOST, CHTTP_OPT_TLS_VERSION, CHTTP_OPT_HTTP_VERSION,
    CHTTP_OPT_CONNECT_TIMEOUT_MS, CHTTP_OPT_BUFFER_SIZE, CHTTP_OPT_UPLOAD_BUFFER_SIZE,
    CHTTP_OPT_PIPE_WAIT, CHTTP_OPT_QUICK_EXIT, CHTTP_OPT_TCP_NO_DELAY, CHTTP_OPT_TCP_KEEPALIVE,
    CHTTP_OPT_MAX_AGE_CONNECTION, CHTTP_OPT_NO_PROGRESS, CHTTP_OPT_TCP_KEEPIDLE,
    CHTTP_OPT_TCP_KEEPINTVL,
} chttp_long_option;

typedef enum { CHTTP_HTTP_1_1, CHTTP_HTTP_2_TLS, CHTTP_HTTP_2_PRIOR_KNOWLEDGE } chttp_http_version;

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

chttp_easy *_Nullable chttp_easy_make(void);
void chttp_easy_reset(chttp_easy *easy);
void chttp_easy_free(chttp_easy *easy);
int chttp_easy_set_string(
    chttp_easy *easy, chttp_string_option option, const char *_Nullable value);
int chttp_easy_set_long(chttp_easy *easy, chttp_long_option option, long value);
int chttp_easy_set_http_version(chttp_easy *easy, chttp_http_version version);
int chttp_easy_set_minimum_tls_1_2(chttp_easy *easy);
int chttp_easy_set_upload_length(chttp_easy *easy, int64_t length);
// Copies `length` octets.
int chttp_easy_set_post_fields(chttp_easy *easy, const void *_Nullable octets, int64_t length);
// The list must outlive the transfer.
int chttp_easy_set_headers(chttp_easy *easy, chttp_list *_Nullable list);
int chttp_easy_set_share(chttp_easy *easy, chttp_share *_Nullable share);
int chttp_easy_set_private(chttp_easy *easy, void *_Nullable context);
void *_Nullable chttp_easy_private(chttp_easy *easy);
int chttp_easy_set_write(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_header(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_read(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_seek(chttp_easy *easy, chttp_seek_callback callback, void *context);
int chttp_easy_set_prereq(chttp_easy *easy, chttp_prereq_callback callback, void *context);
// Sockets made close-on-exec and non-blocking; `closed` hears of each one's end.
typedef void (*chttp_socket_closed)(void *_Nullable context, int descriptor);
typedef struct {
    void *_Nullable context;
    _Nullable chttp_socket_closed opened;
    _Nullable chttp_socket_closed closed;
} chttp_socket_observer;
// `observer` must outlive every connection, which live as long as the multi handle.
int chttp_easy_set_socket_observer(chttp_easy *easy, const chttp_socket_observer *observer);
// A buffer of at least CHTTP_ERROR_SIZE octets that outlives the transfer.
#define CHTTP_ERROR_SIZE 256
int chttp_easy_set_error_buffer(chttp_easy *easy, char *_Nullable buffer);
int chttp_easy_pause(chttp_easy *easy, int receiving, int sending);
const char *chttp_easy_error_text(int code);

typedef enum {
    CHTTP_INFO_HTTP_VERSION, CHTTP_INFO_NUM_CONNECTS, CHTTP_INFO_REQUEST_SIZE,
    CHTTP_INFO_OS_ERRNO, CHTTP_INFO_RESPONSE_CODE, CHTTP_INFO_VERIFY_RESULT,
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
int chttp_multi_set_limits(chttp_multi *multi, long cached_connections, long streams);
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

// MARK: Threads

// A detached thread with every signal blocked. 0 or an error number.
int chttp_thread_start(void (*body)(void *context), void *context, const char *name);
int64_t chttp_monotonic_ns(void);
// Counts the forks between the process that was first and this one.
int chttp_fork_generation(void);

#pragma clang assume_nonnull end
#endif
