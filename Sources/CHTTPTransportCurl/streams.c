// What libcurl knows of HTTP/2 streams and does not tell, and how much it lets come for a stream
// that is not read. What it does not tell: whether the server has ended a stream
// (END_STREAM, RFC 9113 §8.1) or broken it off without an error, whether it has refused one
// unprocessed (§8.7), and when its settings have come (§6.5). libcurl learns all this from
// nghttp2, through callbacks that it registers for each connection.
//
// This file defines the two functions that register them, as a dynamic linker permits: calls of
// libcurl reach these definitions first. Each passes on what it is given; only libcurl's own
// callbacks are replaced, by ones that report to this package and then call libcurl's. Other
// users of nghttp2 in the process notice nothing, and neither do transfers of libcurl that do
// not belong to the calling thread's loop. The types are those of nghttp2's ABI, which is the
// same in all versions since 1.0; no header of nghttp2 is needed.
//
// Where nghttp2 is part of a static program or of libcurl itself, nothing is reported, and
// `chttp_sees_streams` returns 0. Docs/Decisions/0072 has the alternatives.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CHTTPTransportCurl.h"

#include <stdatomic.h>
#include <stddef.h>

_Thread_local int chttp_library_depth = 0;
static _Atomic int sees_streams = 0;

int chttp_sees_streams(void) { return atomic_load_explicit(&sees_streams, memory_order_relaxed); }

#if defined(__linux__)

#include <dlfcn.h>

typedef struct {
    size_t length;
    int32_t stream;
    uint8_t type, flags, reserved;
} frame_head;
typedef int (*stream_closed)(void *session, int32_t stream, uint32_t error, void *context);
typedef int (*frame_received)(void *session, const frame_head *frame, void *context);
typedef int (*set_window)(void *session, uint8_t flags, int32_t stream, int32_t size);
typedef int (*update_window)(void *session, uint8_t flags, int32_t stream, int32_t increment);
typedef struct {
    int32_t identifier;
    uint32_t value;
} setting;
typedef int (*submit_settings)(
    void *session, uint8_t flags, const setting *settings, size_t count);
typedef void (*set_stream_closed)(void *callbacks, stream_closed callback);
typedef void (*set_frame_received)(void *callbacks, frame_received callback);

enum { INITIAL_WINDOW_SIZE = 4, SETTINGS_LIMIT = 16 };
enum { FRAME_DATA = 0, FRAME_HEADERS = 1, FRAME_SETTINGS = 4, END_STREAM = 1, FIRST_STREAM = 1 };

static _Atomic(chttp_stream_observer) observer;
static _Atomic(stream_closed) library_stream_closed;
static _Atomic(frame_received) library_frame_received;
static void *_Atomic stream_context; // nghttp2_session_get_stream_user_data
static _Atomic(chttp_stream_window) window_choice;
static _Atomic uint32_t narrow_window;

// Returns libcurl's handle of a stream, or NULL unless the stream belongs to a transfer of this
// thread's loop.
static chttp_easy *handle_of(void *session, int32_t stream) {
    void *(*context)(void *, int32_t);
    *(void **)&context = atomic_load_explicit(&stream_context, memory_order_acquire);
    return chttp_library_depth > 0 && context ? (chttp_easy *)context(session, stream) : NULL;
}

static int report_stream_closed(void *session, int32_t stream, uint32_t error, void *context) {
    chttp_stream_observer report = atomic_load_explicit(&observer, memory_order_acquire);
    chttp_easy *easy = report ? handle_of(session, stream) : NULL;
    if (easy) report(easy, CHTTP_STREAM_CLOSED, error);
    return library_stream_closed(session, stream, error, context);
}

static set_window next_set_window(void) {
    static void *_Atomic next = NULL;
    if (!next) next = dlsym(RTLD_NEXT, "nghttp2_session_set_local_window_size");
    set_window result;
    *(void **)&result = next;
    return result;
}

static void choose_window(void *session, int32_t stream, size_t count) {
    chttp_stream_window choose = atomic_load_explicit(&window_choice, memory_order_acquire);
    chttp_easy *easy = choose ? handle_of(session, stream) : NULL;
    const uint32_t size = easy ? choose(easy, count) : 0;
    if (size && next_set_window()) next_set_window()(session, 0, stream, (int32_t)size);
}

// The server's settings come while the first stream of the connection is open, or before it. In
// the latter case, the acknowledgement of the client's settings follows them.
static int report_frame_received(void *session, const frame_head *frame, void *context) {
    const int is_end = frame->type <= FRAME_HEADERS && frame->flags & END_STREAM;
    if (frame->type == FRAME_DATA && !is_end) choose_window(session, frame->stream, frame->length);
    if (is_end || frame->type == FRAME_SETTINGS) {
        chttp_stream_observer report = atomic_load_explicit(&observer, memory_order_acquire);
        chttp_easy *easy =
            report ? handle_of(session, is_end ? frame->stream : FIRST_STREAM) : NULL;
        const chttp_stream_event event = !is_end ? CHTTP_STREAM_SETTINGS
            : frame->type == FRAME_DATA          ? CHTTP_STREAM_ENDED_WITH_DATA
                                                 : CHTTP_STREAM_ENDED;
        if (easy) report(easy, event, 0);
    }
    return library_frame_received(session, frame, context);
}

// Returns 1 if a function is part of the libcurl that this process uses.
static int is_of_library(void *function) {
    static void *_Atomic library = NULL;
    Dl_info info;
    if (!library) {
        void *known = dlsym(RTLD_DEFAULT, "curl_easy_init");
        if (known && dladdr(known, &info)) library = info.dli_fbase;
    }
    return library && dladdr(function, &info) && info.dli_fbase == library;
}

// In a static program, nghttp2's own definitions take the place of these.
__attribute__((weak, visibility("default"))) void
nghttp2_session_callbacks_set_on_stream_close_callback(
    void *callbacks, stream_closed callback
) {
    set_stream_closed next;
    *(void **)&next = dlsym(RTLD_NEXT, "nghttp2_session_callbacks_set_on_stream_close_callback");
    if (!next) return;
    if (callback && is_of_library(*(void **)&callback)) {
        void *of_stream = dlsym(RTLD_DEFAULT, "nghttp2_session_get_stream_user_data");
        if (of_stream) {
            library_stream_closed = callback;
            atomic_store_explicit(&stream_context, of_stream, memory_order_release);
            atomic_store_explicit(&sees_streams, 1, memory_order_relaxed);
            callback = report_stream_closed;
        }
    }
    next(callbacks, callback);
}

__attribute__((weak, visibility("default"))) void
nghttp2_session_callbacks_set_on_frame_recv_callback(
    void *callbacks, frame_received callback
) {
    set_frame_received next;
    *(void **)&next = dlsym(RTLD_NEXT, "nghttp2_session_callbacks_set_on_frame_recv_callback");
    if (!next) return;
    if (callback && is_of_library(*(void **)&callback)) {
        library_frame_received = callback;
        callback = report_frame_received;
    }
    next(callbacks, callback);
}

// libcurl gives each stream a window of 10 MiB, and before 8.1 one of 32 MiB. All of it may come
// and be kept in memory after the transfer was paused.
__attribute__((weak, visibility("default"))) int nghttp2_session_set_local_window_size(
    void *session, uint8_t flags, int32_t stream, int32_t size
) {
    const uint32_t narrow = atomic_load_explicit(&narrow_window, memory_order_relaxed);
    if (stream > 0 && narrow && (uint32_t)size > narrow && handle_of(session, stream))
        size = (int32_t)narrow;
    set_window next = next_set_window();
    return next ? next(session, flags, stream, size) : 0;
}

// From 8.10 to 8.13, libcurl widens a window by this call alone, and later ones by both: the call
// above already sends an update. Its size is absolute, so that a second one changes nothing.
__attribute__((weak, visibility("default"))) int nghttp2_submit_window_update(
    void *session, uint8_t flags, int32_t stream, int32_t increment
) {
    static void *_Atomic known = NULL;
    if (!known) known = dlsym(RTLD_NEXT, "nghttp2_submit_window_update");
    update_window next;
    *(void **)&next = known;
    const uint32_t narrow = atomic_load_explicit(&narrow_window, memory_order_relaxed);
    if (stream > 0 && narrow && handle_of(session, stream)) {
        set_window set = next_set_window();
        return set ? set(session, flags, stream, (int32_t)narrow) : 0;
    }
    return next ? next(session, flags, stream, increment) : 0;
}

__attribute__((weak, visibility("default"))) int nghttp2_submit_settings(
    void *session, uint8_t flags, const setting *settings, size_t count
) {
    static void *_Atomic known = NULL;
    if (!known) known = dlsym(RTLD_NEXT, "nghttp2_submit_settings");
    submit_settings next;
    *(void **)&next = known;
    if (!next) return 0;
    const uint32_t narrow = atomic_load_explicit(&narrow_window, memory_order_relaxed);
    if (!chttp_library_depth || !narrow || count > SETTINGS_LIMIT)
        return next(session, flags, settings, count);
    setting narrowed[SETTINGS_LIMIT];
    for (size_t index = 0; index < count; index++) {
        narrowed[index] = settings[index];
        if (settings[index].identifier == INITIAL_WINDOW_SIZE && settings[index].value > narrow)
            narrowed[index].value = narrow;
    }
    return next(session, flags, narrowed, count);
}

int chttp_limits_updates(void) {
    // The version that this program was linked with may not call the function at all.
    void *found = dlsym(RTLD_DEFAULT, "nghttp2_submit_window_update");
    int (*own)(void *, uint8_t, int32_t, int32_t) = nghttp2_submit_window_update;
    return chttp_library_info().version < 0x080A00 || found == *(void **)&own;
}

void chttp_limit_streams(uint32_t narrow, chttp_stream_window window) {
    atomic_store_explicit(&window_choice, window, memory_order_release);
    atomic_store_explicit(&narrow_window, narrow, memory_order_relaxed);
}

void chttp_observe_streams(chttp_stream_observer report) {
    atomic_store_explicit(&observer, report, memory_order_release);
}

#else

void chttp_observe_streams(chttp_stream_observer report) { (void)report; }

void chttp_limit_streams(uint32_t narrow, chttp_stream_window window) {
    (void)narrow, (void)window;
}

int chttp_limits_updates(void) { return 0; }

#endif
