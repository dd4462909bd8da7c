// The C boundary of HTTPTransportCurl: libcurl's variadic calls with one function per argument
// type, and the parts of epoll (kqueue on Apple platforms) and pthread that need C. It makes no
// decisions.
//
// This header does not include curl.h: the macros of curl.h change their types between versions, so
// Swift would import something else on every machine. Options, codes and bits are constants of this
// header.

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

// The results of libcurl that have a meaning of their own in Swift. A function below that
// returns int returns CHTTP_E_… for an easy handle, CHTTP_M_… for a multi handle, or what its
// comment says.
#define CHTTP_CODES(X) \
    X(E_OK, 0) X(E_UNSUPPORTED_PROTOCOL, 1) X(E_URL_MALFORMAT, 3) X(E_COULDNT_RESOLVE_PROXY, 5) \
    X(E_COULDNT_RESOLVE_HOST, 6) X(E_COULDNT_CONNECT, 7) X(E_WEIRD_SERVER_REPLY, 8) X(E_HTTP2, 16) \
    X(E_PARTIAL_FILE, 18) X(E_WRITE_ERROR, 23) X(E_UPLOAD_FAILED, 25) X(E_READ_ERROR, 26) \
    X(E_OUT_OF_MEMORY, 27) X(E_OPERATION_TIMEDOUT, 28) X(E_SSL_CONNECT_ERROR, 35) \
    X(E_ABORTED_BY_CALLBACK, 42) X(E_BAD_FUNCTION_ARGUMENT, 43) X(E_INTERFACE_FAILED, 45) \
    X(E_GOT_NOTHING, 52) X(E_SEND_ERROR, 55) X(E_RECV_ERROR, 56) X(E_SSL_CERTPROBLEM, 58) \
    X(E_SSL_CIPHER, 59) X(E_PEER_FAILED_VERIFICATION, 60) X(E_BAD_CONTENT_ENCODING, 61) \
    X(E_SEND_FAIL_REWIND, 65) X(E_SSL_ENGINE_INITFAILED, 66) X(E_SSL_CACERT_BADFILE, 77) \
    X(E_SSL_SHUTDOWN_FAILED, 80) X(E_SSL_CRL_BADFILE, 82) X(E_SSL_ISSUER_ERROR, 83) \
    X(E_SSL_PINNEDPUBKEYNOTMATCH, 90) X(E_SSL_INVALIDCERTSTATUS, 91) X(E_HTTP2_STREAM, 92) \
    X(E_HTTP3, 95) X(E_QUIC_CONNECT_ERROR, 96) X(E_PROXY, 97) X(E_SSL_CLIENTCERT, 98) X(M_OK, 0) \
    X(M_OUT_OF_MEMORY, 3)
#define CHTTP_CODE(name, value) CHTTP_##name = value,
enum : int {
    CHTTP_CODES(CHTTP_CODE)
    CHTTP_E_TOO_LARGE = 100,  // new in 8.6
    CHTTP_E_ECH_REQUIRED = 101,  // new in 8.8
};

typedef struct {
    uint32_t version;  // 0xXXYYZZ
    const char *version_text;
    const char *_Nullable tls_text;
    const char *_Nullable http2_text;  // of nghttp2, without its name
    const char *_Nullable http3_text;  // all libraries, with their names
    int has_http2, has_http3, has_tls;
    int has_unix_sockets, has_https_proxy;
} chttp_library;

// Initialises libcurl once, for the life of the process. Returns CHTTP_E_….
int chttp_global_init(void);
// Valid after chttp_global_init. The strings live as long as the process.
chttp_library chttp_library_info(void);

// MARK: Easy handles

// Lists of options by their names here and those in curl.h.
#define CHTTP_OPTION(name, of_library) CHTTP_OPT_##name,
#define CHTTP_STRING_OPTIONS(X) \
    X(CUSTOM_REQUEST, CUSTOMREQUEST) X(PROXY, PROXY) X(PROTOCOLS, PROTOCOLS_STR) \
    X(CA_FILE, CAINFO) X(CA_DIRECTORY, CAPATH) X(REQUEST_TARGET, REQUEST_TARGET) \
    X(PROXY_CA_FILE, PROXY_CAINFO) X(PROXY_CA_DIRECTORY, PROXY_CAPATH) \
    X(PINNED_PUBLIC_KEY, PINNEDPUBLICKEY) X(CERTIFICATE_FILE, SSLCERT) \
    X(CERTIFICATE_TYPE, SSLCERTTYPE) X(KEY_FILE, SSLKEY) X(KEY_TYPE, SSLKEYTYPE) \
    X(KEY_PASSWORD, KEYPASSWD) X(CIPHERS, SSL_CIPHER_LIST) X(TLS_1_3_CIPHERS, TLS13_CIPHERS) \
    X(NO_PROXY, NOPROXY) X(PROXY_USER, PROXYUSERNAME) X(PROXY_PASSWORD, PROXYPASSWORD) \
    X(UNIX_SOCKET, UNIX_SOCKET_PATH) X(ABSTRACT_UNIX_SOCKET, ABSTRACT_UNIX_SOCKET) \
    X(INTERFACE, INTERFACE) X(PROXY_PINNED_PUBLIC_KEY, PROXY_PINNEDPUBLICKEY) \
    X(PROXY_CERTIFICATE_FILE, PROXY_SSLCERT) X(PROXY_CERTIFICATE_TYPE, PROXY_SSLCERTTYPE) \
    X(PROXY_KEY_FILE, PROXY_SSLKEY) X(PROXY_KEY_TYPE, PROXY_SSLKEYTYPE) \
    X(PROXY_KEY_PASSWORD, PROXY_KEYPASSWD) X(PROXY_CIPHERS, PROXY_SSL_CIPHER_LIST) \
    X(PROXY_TLS_1_3_CIPHERS, PROXY_TLS13_CIPHERS)
typedef enum { CHTTP_STRING_OPTIONS(CHTTP_OPTION) } chttp_string_option;

#define CHTTP_LONG_OPTIONS(X) \
    X(NO_BODY, NOBODY) X(POST, POST) X(UPLOAD, UPLOAD) X(NO_SIGNAL, NOSIGNAL) \
    X(VERIFY_PEER, SSL_VERIFYPEER) X(VERIFY_HOST, SSL_VERIFYHOST) \
    X(CONNECT_TIMEOUT_MS, CONNECTTIMEOUT_MS) X(BUFFER_SIZE, BUFFERSIZE) \
    X(UPLOAD_BUFFER_SIZE, UPLOAD_BUFFERSIZE) X(PIPE_WAIT, PIPEWAIT) \
    X(TCP_KEEPALIVE, TCP_KEEPALIVE) X(MAX_AGE_CONNECTION, MAXAGE_CONN) \
    X(TCP_KEEPIDLE, TCP_KEEPIDLE) X(TCP_KEEPINTVL, TCP_KEEPINTVL) X(CERTIFICATE_INFO, CERTINFO) \
    X(PROXY_VERIFY_PEER, PROXY_SSL_VERIFYPEER) X(PROXY_VERIFY_HOST, PROXY_SSL_VERIFYHOST) \
    X(MAX_LIFETIME_CONNECTION, MAXLIFETIME_CONN) X(IP_RESOLVE, IPRESOLVE) \
    X(EXPECT_TIMEOUT_MS, EXPECT_100_TIMEOUT_MS) X(ADDRESS_SCOPE, ADDRESS_SCOPE) \
    X(FRESH_CONNECT, FRESH_CONNECT) X(FORBID_REUSE, FORBID_REUSE) \
    X(DNS_CACHE_TIMEOUT, DNS_CACHE_TIMEOUT) X(ATTEMPT_DELAY_MS, HAPPY_EYEBALLS_TIMEOUT_MS)
typedef enum { CHTTP_LONG_OPTIONS(CHTTP_OPTION) CHTTP_OPT_QUICK_EXIT } chttp_long_option;

#define CHTTP_BLOB(name, of_library) CHTTP_BLOB_##name,
#define CHTTP_BLOB_OPTIONS(X) \
    X(CERTIFICATE, SSLCERT_BLOB) X(KEY, SSLKEY_BLOB) X(CA, CAINFO_BLOB) \
    X(PROXY_CERTIFICATE, PROXY_SSLCERT_BLOB) X(PROXY_KEY, PROXY_SSLKEY_BLOB) \
    X(PROXY_CA, PROXY_CAINFO_BLOB)
typedef enum { CHTTP_BLOB_OPTIONS(CHTTP_BLOB) } chttp_blob_option;

typedef enum { CHTTP_HTTP_1_1, CHTTP_HTTP_2_TLS, CHTTP_HTTP_3_ONLY } chttp_http_version;

typedef size_t (*chttp_data_callback)(
    char *data, size_t size, size_t count, void *_Nullable context);
typedef int (*chttp_seek_callback)(void *_Nullable context, int64_t offset, int origin);
typedef int (*chttp_prereq_callback)(
    void *_Nullable context, char *_Nullable primary_ip, char *_Nullable local_ip,
    int primary_port, int local_port);

// The values that a write callback returns to end the transfer, and a read callback to end or to
// pause it.
#define CHTTP_WRITE_ERROR ((size_t)0xFFFFFFFF)
#define CHTTP_READ_ABORT ((size_t)0x10000000)
#define CHTTP_READ_PAUSE ((size_t)0x10000001)

// Appends the lines of the trailer fields to `list`, which libcurl then owns. Returns 0, or 1 to
// end the transfer.
typedef int (*chttp_trailer_callback)(
    chttp_list *_Nullable *_Nonnull list, void *_Nullable context);

chttp_easy *_Nullable chttp_easy_make(void);
void chttp_easy_reset(chttp_easy *easy);
void chttp_easy_free(chttp_easy *easy);
int chttp_easy_set_string(
    chttp_easy *easy, chttp_string_option option, const char *_Nullable value);
int chttp_easy_set_long(chttp_easy *easy, chttp_long_option option, long value);
// Copies `text`. `url` is NULL or the parsed form of `text`, and must outlive the transfer.
int chttp_easy_set_url(chttp_easy *easy, const char *text, const chttp_url *_Nullable url);
int chttp_easy_set_http_version(chttp_easy *easy, chttp_http_version version);
// `minimum` is 2 or 3, for TLS 1.2 or 1.3. `maximum` is 2, 3 or 0, for TLS 1.2, TLS 1.3 or the
// latest version that the library supports.
int chttp_easy_set_tls_versions(chttp_easy *easy, int minimum, int maximum);
// The same for the TLS of a proxy.
int chttp_easy_set_proxy_tls_versions(chttp_easy *easy, int minimum, int maximum);
// Copies `count` bytes.
int chttp_easy_set_blob(
    chttp_easy *easy, chttp_blob_option option, const void *bytes, size_t count);
int chttp_easy_set_upload_length(chttp_easy *easy, int64_t length);
// Copies `length` bytes.
int chttp_easy_set_post_fields(chttp_easy *easy, const void *_Nullable bytes, int64_t length);
// The list must outlive the transfer.
int chttp_easy_set_headers(chttp_easy *easy, chttp_list *_Nullable list);
// The list must outlive the transfer. Each line is "host:port:to-host:to-port".
int chttp_easy_set_connect_to(chttp_easy *easy, chttp_list *_Nullable list);
// The list must outlive the transfer. Each line is "host:port:address,address".
int chttp_easy_set_resolve(chttp_easy *easy, chttp_list *_Nullable list);
int chttp_easy_set_share(chttp_easy *easy, chttp_share *_Nullable share);
int chttp_easy_set_private(chttp_easy *easy, void *_Nullable context);
void *_Nullable chttp_easy_private(chttp_easy *easy);
int chttp_easy_set_write(chttp_easy *easy, chttp_data_callback callback, void *context);
// Gathers the lines of a head, which libcurl reports one by one, and reports them together.
typedef struct {
    void *_Nullable context;
    // The first line is about to be gathered.
    void (*begun)(void *_Nullable context);
    // The empty line has come. The bytes are all lines but that one, each with its end. Returns 1,
    // or 0 to end the transfer.
    int (*complete)(void *_Nullable context, const uint8_t *_Nullable bytes, size_t count);
    // A line that is not gathered: after the head, or if the lines do not fit.
    int (*line)(void *_Nullable context, const uint8_t *bytes, size_t count);
    // A line of a proxy's response to CONNECT. Returns 1, or 0 to end the transfer.
    int (*tunnel_line)(void *_Nullable context, const uint8_t *bytes, size_t count);
    // The socket over which the next lines are those of a proxy's response to CONNECT; -1 if they
    // are not.
    int tunnel;
    size_t capacity;
    // Set to 0 to begin a head.
    size_t count;
    int gathers;
    uint8_t bytes[];
} chttp_head;
// The memory is the caller's to free. Returns NULL if out of memory.
chttp_head *_Nullable chttp_head_make(size_t capacity);
void chttp_head_free(chttp_head *head);
// Reports the gathered lines one by one to `line`, and gathers no more. Returns 1, or 0 as soon as
// `line` returns 0.
int chttp_head_release(chttp_head *head);
// `head` must outlive the transfer.
int chttp_easy_set_head(chttp_easy *easy, chttp_head *head);
int chttp_easy_set_read(chttp_easy *easy, chttp_data_callback callback, void *context);
int chttp_easy_set_seek(chttp_easy *easy, chttp_seek_callback callback, void *context);
int chttp_easy_set_trailers(chttp_easy *easy, chttp_trailer_callback callback, void *context);
int chttp_easy_set_prereq(chttp_easy *easy, chttp_prereq_callback callback, void *context);
// Facts that the library reports only in its text messages, or that follow from what it reports.
typedef enum {
    CHTTP_REMARK_SURPLUS,  // bytes that were read after the end of a response are dropped
    CHTTP_REMARK_INTERIM,  // an interim response is taken for a proxy's response to CONNECT
} chttp_remark;
typedef void (*chttp_remark_callback)(void *_Nullable context, chttp_remark remark);
// Enables the library's messages and passes those above to `callback`, with the handle's private
// context. It can also be called during a transfer. With NULL, disables the messages.
int chttp_easy_set_remark_observer(chttp_easy *easy, chttp_remark_callback _Nullable callback);
// An address that libcurl is about to connect to. The family is 4 or 6, or 0 for an address that is
// not an IP address.
typedef struct {
    int family;
    uint16_t port;
    uint8_t bytes[16];
} chttp_address;
typedef void (*chttp_socket_callback_for_descriptor)(void *_Nullable context, int descriptor);
// How sockets are created: close-on-exec, non-blocking, and only if `permits` is NULL or returns 1.
typedef struct {
    void *_Nullable context;
    int (*_Nullable permits)(void *_Nullable context, const chttp_address *address);
    // Called with a new socket and the address that it will be connected to.
    void (*_Nullable opened)(void *_Nullable context, int descriptor, const chttp_address *address);
    // Called with errno if no socket could be created.
    void (*_Nullable failed)(void *_Nullable context, int error);
    // 0 keeps the system's value.
    unsigned user_timeout_ms;
    int keepalive_probes;
} chttp_socket_opener;
// Called when libcurl begins to look up a name, or an address that needs no look-up. Returns 0.
typedef int (*chttp_lookup_callback)(
    void *_Nullable resolver, void *_Nullable reserved, void *_Nullable context);
int chttp_easy_set_lookup(
    chttp_easy *easy, chttp_lookup_callback callback, void *_Nullable context);
// `opener` must outlive the transfer.
int chttp_easy_set_socket_opener(chttp_easy *easy, const chttp_socket_opener *opener);
// Makes a socket as libcurl would and begins to connect it. `local` is the address to connect from,
// or NULL. Returns the descriptor, or the negative of errno. Ignores the callbacks of `opener`.
int chttp_connect(
    const chttp_socket_opener *opener, const chttp_address *address,
    const chttp_address *_Nullable local);
// The state of a socket of TCP, where the system tells it.
typedef enum {
    CHTTP_CONNECTION_OTHER,  // closed, or not known
    CHTTP_CONNECTION_CONNECTING,
    CHTTP_CONNECTION_CONNECTED,
} chttp_connection;
chttp_connection chttp_connection_state(int descriptor);
// Returns the error with which a socket has failed to connect, or 0.
int chttp_socket_error(int descriptor);
// Gives the socket of `source` the number `descriptor` as well, whose own socket is closed. Returns
// 0, or errno.
int chttp_replace(int descriptor, int source);
// The addresses that the system finds for a host, up to `capacity` of them. The family is 4 or 6,
// or 0 for both. Blocks. Returns their number.
int chttp_find_addresses(const char *host, int family, chttp_address *addresses, int capacity);
// Drops the interim responses that a proxy sends before its response to CONNECT over this socket,
// which was made on this thread, until the socket is closed or the tunnel is ready. libcurl would
// take the first one for the response. Only for proxies that are not reached over TLS.
void chttp_expect_tunnel(int descriptor);
// libcurl has read the status line of an interim response itself, which came in the same action as
// the request for the tunnel was sent. If the final response has come as well, drops what is
// between them, and gives `line` the final status. libcurl reads tunnels byte by byte, so the rest
// is still in the socket, but for one byte if it reads ahead.
void chttp_replace_interim(int descriptor, char *line, size_t length, int reads_ahead);
// The tunnel is ready.
void chttp_forget_tunnel(int descriptor);
typedef struct {
    void *_Nullable context;
    _Nullable chttp_socket_callback_for_descriptor closed;
} chttp_socket_closer;
// `closer` must outlive every connection. Connections live as long as the multi handle.
int chttp_easy_set_socket_closer(chttp_easy *easy, const chttp_socket_closer *closer);

// MARK: OpenSSL and its descendants

// Returns 1 if this process has the OpenSSL functions for a key log. Looks for them once.
int chttp_tls_can_log_keys(void);
// Frees what the TLS library keeps for the calling thread. The library would otherwise do so when
// the thread ends.
void chttp_tls_thread_stop(void);
// A certificate of the TLS library, which counts the references to it. Threads may share it.
typedef struct chttp_certificate chttp_certificate;
// Returns NULL if the bytes are not a certificate in DER, or if memory is lacking.
chttp_certificate *_Nullable chttp_certificate_make(const uint8_t *der, size_t count);
void chttp_certificate_free(chttp_certificate *certificate);
// The search for the authorities with one subject while a connection is verified.
typedef struct chttp_authority_search chttp_authority_search;
// Passes all trusted certificates that may have the subject, a Name in DER, to
// chttp_authority_found. Runs on the connection's thread.
typedef void (*chttp_authority_finder)(
    chttp_authority_search *search, const uint8_t *subject, size_t count);
// Certificates with another subject do no harm. The search takes a reference of its own.
void chttp_authority_found(chttp_authority_search *search, chttp_certificate *certificate);
// Returns 1 if this process has the OpenSSL functions for a finder and a directory of a setup.
// Looks for them once.
int chttp_tls_can_own_trust(void);
// Sets the finder of connections that use one, for the life of the process. Returns 1 if it is set.
int chttp_tls_set_authority_finder(chttp_authority_finder finder);

// The secrets of new connections go to the file that the library's environment names, if any.
#define CHTTP_KEY_LOG_DEFAULT (-2)
// The secrets of new connections are not written.
#define CHTTP_KEY_LOG_NONE (-1)
// What the TLS library is told about new connections.
typedef struct {
    // The descriptor that gets the secrets, or one of the constants.
    int key_log;
    // 1 if connections trust what the authority finder finds.
    int uses_finder;
    // NULL, or the directories with certificates under hashed names that connections trust.
    const char *_Nullable directory;
} chttp_tls_setup;
// What the TLS library is told about the connections of one handle.
typedef struct {
    void *_Nullable context;
    // Called when a handshake is about to begin. Returns 1 if it is that with the proxy, and 0 if
    // it is that with the server.
    int (*handshake)(void *_Nullable context);
    // NULL if there is nothing to tell.
    const chttp_tls_setup *_Nullable server;
    const chttp_tls_setup *_Nullable proxy;
} chttp_tls_setups;
// With a finder or a directory, connections trust nothing that other options name. `setups` must
// outlive the transfer.
int chttp_easy_prepare_tls(chttp_easy *easy, const chttp_tls_setups *setups);
// Observes the TLS of the connection that the transfer uses now, which is about to carry a request.
// Returns its number, or 0 if it cannot be observed.
//
// A connection that has not carried a request before, and that the peer has reset, is read before
// an error of writing counts: the peer's last alert tells why.
uint64_t chttp_easy_observe_tls(chttp_easy *easy);
// Returns the last alert that the peer has sent over an observed connection of this thread, or -1.
int chttp_tls_alert(uint64_t connection);
// Reports the end of the connection as an error, unless TLS has been closed. For a response that
// ends with its connection. Needs OpenSSL 3 and does nothing without it.
void chttp_easy_require_tls_end(chttp_easy *easy);
// Returns the X509_V_ERR_… of the last certificate that was refused in a handshake of this thread
// for which there was a setup, or 0. Forgets it. libcurl loses the reason if the handshake goes
// through a proxy that is itself reached over TLS.
int chttp_tls_take_verification(void);
// The reason of the last error of the TLS library on this thread, or NULL. The string lives as long
// as the process.
const char *_Nullable chttp_tls_last_reason(void);
// The TLS version of the connection that the transfer uses now, such as "TLSv1.3"; NULL if unknown.
const char *_Nullable chttp_easy_tls_version(chttp_easy *easy);
// The protocol that ALPN selected, such as "h2" or "http/1.1"; "" for none, NULL if unknown. The
// string lives until the next call on this thread.
const char *_Nullable chttp_easy_application_protocol(chttp_easy *easy);
// Returns 1 if the TLS library has taken bytes from that connection that nothing has read yet; 0 if
// there are none or it is unknown.
int chttp_easy_has_unread_records(chttp_easy *easy);
// Limits the bytes that one action of a multi handle reads from the connection in use. The rest is
// read in the next action. Needs OpenSSL and does nothing without it.
void chttp_easy_limit_reading(chttp_easy *easy);
// Lets what has come over the connection in use be read before its reset is reported, until the
// next request. The connection must be observed. Needs OpenSSL and does nothing without it.
void chttp_easy_read_after_reset(chttp_easy *easy);
// Returns a certificate that the server sent, in PEM after "Cert:"; index 0 is the server's own.
// Returns NULL beyond the last one. The string lives until the handle is used again. Needs
// CHTTP_OPT_CERTIFICATE_INFO.
const char *_Nullable chttp_easy_certificate(chttp_easy *easy, int index);

// MARK: Files in memory

// Returns a close-on-exec descriptor of a file in memory that cannot be changed any more, or -1
// with errno (ENOSYS if the system has no such files).
int chttp_memory_file(const void *bytes, size_t count);
// Asks the file system to reserve space without making the file longer. Returns ENOSPC if there is
// not enough space, and 0 otherwise, also if the file system cannot reserve space.
int chttp_reserve(int descriptor, int64_t offset, int64_t count);

// Reads the bytes that are available without waiting for a disk and returns their number. Returns 0
// if there are none, for whatever reason; the caller then has to read where it may block.
size_t chttp_read_cached(int descriptor, void *space, size_t count, int64_t offset);

// MARK: The rest of a handle

// `buffer` has at least CHTTP_ERROR_SIZE bytes and outlives the transfer. libcurl writes the text
// of the first error there, and does not clear it.
#define CHTTP_ERROR_SIZE 256
int chttp_easy_set_error_buffer(chttp_easy *easy, char *_Nullable buffer);
int chttp_easy_pause(chttp_easy *easy, int receiving, int sending);
const char *chttp_easy_error_text(int code);

#define CHTTP_INFO(name, of_library) CHTTP_INFO_##name,
#define CHTTP_LONG_INFOS(X) \
    X(HTTP_VERSION, HTTP_VERSION) X(NUM_CONNECTS, NUM_CONNECTS) X(REQUEST_SIZE, REQUEST_SIZE) \
    X(OS_ERRNO, OS_ERRNO) X(RESPONSE_CODE, RESPONSE_CODE) X(VERIFY_RESULT, SSL_VERIFYRESULT) \
    X(PROXY_ERROR, PROXY_ERROR) X(CONNECT_CODE, HTTP_CONNECTCODE) X(HEADER_SIZE, HEADER_SIZE) \
    X(PROXY_VERIFY_RESULT, PROXY_SSL_VERIFYRESULT)
typedef enum { CHTTP_LONG_INFOS(CHTTP_INFO) } chttp_long_info;
#define CHTTP_OFFSET_INFOS(X) \
    X(NAME_LOOKUP_TIME, NAMELOOKUP_TIME_T) X(CONNECT_TIME, CONNECT_TIME_T) \
    X(APP_CONNECT_TIME, APPCONNECT_TIME_T) X(SIZE_UPLOAD, SIZE_UPLOAD_T) \
    X(SIZE_DOWNLOAD, SIZE_DOWNLOAD_T) X(CONTENT_LENGTH, CONTENT_LENGTH_DOWNLOAD_T)
typedef enum { CHTTP_OFFSET_INFOS(CHTTP_INFO) } chttp_offset_info;
// 0 if the library does not know.
long chttp_easy_long(chttp_easy *easy, chttp_long_info info);
int64_t chttp_easy_offset(chttp_easy *easy, chttp_offset_info info);
// The library's default trust store; NULL if it has none. The string lives as long as the handle.
const char *_Nullable chttp_easy_default_ca_file(chttp_easy *easy);
const char *_Nullable chttp_easy_default_ca_directory(chttp_easy *easy);

// MARK: Lists of strings

// Copies `line`. Returns NULL if out of memory; the list is then unchanged.
chttp_list *_Nullable chttp_list_append(chttp_list *_Nullable list, const char *line);
void chttp_list_free(chttp_list *_Nullable list);

// MARK: URLs

// Parses `text` as a transfer would; NULL if libcurl cannot parse it.
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
// Calls the socket callback and the `closed` callbacks of the sockets.
int chttp_multi_free(chttp_multi *multi);
int chttp_multi_set_callbacks(
    chttp_multi *multi, chttp_socket_callback socket, chttp_timer_callback timer, void *context);
// 0 `connections` means no limit.
int chttp_multi_set_limits(
    chttp_multi *multi, long cached_connections, long streams, long connections);
int chttp_multi_add(chttp_multi *multi, chttp_easy *easy);
int chttp_multi_remove(chttp_multi *multi, chttp_easy *easy);
int chttp_multi_socket_action(chttp_multi *multi, int descriptor, int events);
int chttp_multi_timeout_action(chttp_multi *multi);
// Does all that can be done, whatever the poller has reported.
int chttp_multi_perform(chttp_multi *multi);
// Milliseconds, or -1 for none.
long chttp_multi_timeout(chttp_multi *multi);
// The next finished transfer, or NULL.
chttp_easy *_Nullable chttp_multi_next_done(chttp_multi *multi, int *result);
const char *chttp_multi_error_text(int code);

// Shares TLS sessions between the handles of one thread.
chttp_share *_Nullable chttp_share_make(void);
void chttp_share_free(chttp_share *share);

// MARK: Streams

typedef enum {
    // The server has ended the request's stream (END_STREAM, RFC 9113 §8.1), with a head or with
    // trailers.
    CHTTP_STREAM_ENDED,
    CHTTP_STREAM_ENDED_WITH_DATA,  // the same, with a piece of the body
    CHTTP_STREAM_CLOSED,    // the request's stream is closed, with an error code (RFC 9113 §7)
    CHTTP_STREAM_SETTINGS,  // the settings of the server have come over the request's connection
} chttp_stream_event;
typedef void (*chttp_stream_observer)(
    chttp_easy *_Nonnull easy, chttp_stream_event event, uint32_t error);
// Reports the HTTP/2 streams of the handles that are in multi handles, each on the thread that
// calls libcurl, from within that call.
void chttp_observe_streams(chttp_stream_observer report);
// Returns the number of bytes that the server may send on a request's stream before they are read,
// after `count` bytes have come; 0 for no change.
typedef uint32_t (*chttp_stream_window)(chttp_easy *_Nonnull easy, size_t count);
// Returns 1 if `chttp_limit_streams` reaches the update with which libcurl widens a window from
// 8.10 on. It does in a program that was linked with such a version: then the linker exports
// the function that libcurl calls.
int chttp_limits_updates(void);
// Decides about the windows of HTTP/2 streams (RFC 9113 §5.2), which otherwise begin with `narrow`
// bytes each, as they do after each pause. Called like the observer.
void chttp_limit_streams(uint32_t narrow, chttp_stream_window window);
// Returns 1 once libcurl has set up an HTTP/2 connection whose streams are reported.
int chttp_sees_streams(void);

// MARK: Waiting

typedef struct {
    int descriptor;
    int events;  // CHTTP_SELECT_…
} chttp_event;

// Returns a close-on-exec epoll instance or kqueue, or -1 with errno.
int chttp_poller_make(void);
// Makes a close-on-exec, non-blocking descriptor that can be signalled. On Linux both ends are the
// same descriptor. Returns 0 or errno.
int chttp_waker_make(int *read_end, int *write_end);
void chttp_waker_signal(int write_end);
void chttp_waker_drain(int read_end);
// `interest` and `previous` are CHTTP_POLL_NONE, IN, OUT or INOUT. Returns 0 or errno.
int chttp_poller_set(int poller, int descriptor, int previous, int interest);
// Returns the number of events, or -1 with errno.
int chttp_poller_wait(int poller, chttp_event *events, int capacity, int timeout_ms);
void chttp_close(int descriptor);

// MARK: Kept connections

// Returns 1 if there is something to read or the connection has ended.
int chttp_is_readable(int descriptor);
// Returns 1 if bytes have arrived that nothing has read. Takes no error from the socket.
int chttp_has_input(int descriptor);
// Shuts down both directions. Drops bytes that have arrived and were not read.
void chttp_shutdown(int descriptor);
// 0 if the socket has no port.
int chttp_local_port(int descriptor);
// The kernel's number of a socket, which no later socket has. 0 if the descriptor is no socket, or
// if the system has no such numbers.
uint64_t chttp_socket_cookie(int descriptor);

// Returns the age of the last datagram that was read from a socket, or -1 if it is not known. The
// first call makes the kernel note when datagrams arrive from then on.
int64_t chttp_datagram_age_ns(int descriptor);
// Returns the time in milliseconds since a TCP connection last received bytes, or -1 if it is not
// known. Acknowledgements are no bytes. The kernel's clock makes it wrong by some milliseconds.
int64_t chttp_receive_age_ms(int descriptor);
// Copies the beginning of the next datagram, which stays where it is. Returns the number of bytes,
// 0 if there is none.
size_t chttp_peek(int descriptor, void *space, size_t count);

// MARK: Threads

// Starts a detached thread with every signal blocked. Returns 0 or an error number.
int chttp_thread_start(void (*body)(void *context), void *context, const char *name);
uintptr_t chttp_thread_current(void);
int64_t chttp_monotonic_ns(void);
// The number of forks between the first process and this one.
int chttp_fork_generation(void);

#pragma clang assume_nonnull end
#endif
