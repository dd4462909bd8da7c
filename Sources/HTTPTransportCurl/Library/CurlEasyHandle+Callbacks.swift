import CHTTPTransportCurl

/// The callbacks of an easy handle, which address its ``CurlEasyHandle/events``.
///
/// libcurl calls them from within calls of the loop, on its thread, and the loop keeps a handle
/// until it has left its multi handle. The handle that a context points to is therefore alive.
extension CurlEasyHandle {
    private static func handle(_ context: UnsafeMutableRawPointer?) -> CurlEasyHandle? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlEasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    private static func events(_ context: UnsafeMutableRawPointer?) -> (any CurlEasyEvents)? {
        unsafe handle(context)?.events
    }

    /// Returns the receiver of the events of a handle in a multi handle.
    static func events(of raw: OpaquePointer) -> (any CurlEasyEvents)? {
        unsafe events(chttp_easy_private(raw))
    }

    /// Sends everything that libcurl reports about this handle to ``events``.
    ///
    /// - Parameter observesSteps: `true` if look-ups are reported.
    func setCallbacks(isUpload: Bool, hasTrailers: Bool, observesSteps: Bool) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        note(unsafe chttp_easy_set_private(raw, context))
        note(
            unsafe chttp_easy_set_write(
                raw,
                { data, size, count, context in
                    guard let events = unsafe CurlEasyHandle.events(context) else {
                        return Int(CHTTP_WRITE_ERROR)
                    }
                    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
                    return unsafe events.received(body: bytes)
                        ? bytes.count : Int(CHTTP_WRITE_ERROR)
                }, context))
        unsafe head.pointee.context = context
        unsafe head.pointee.begun = { unsafe CurlEasyHandle.events($0)?.beganHead() }
        unsafe head.pointee.complete = { context, bytes, count in
            guard let events = unsafe CurlEasyHandle.events(context) else { return 0 }
            let head = unsafe UnsafeBufferPointer(start: bytes, count: count)
            return unsafe events.received(head: head.span) ? 1 : 0
        }
        unsafe head.pointee.line = { context, bytes, count in
            guard let events = unsafe CurlEasyHandle.events(context) else { return 0 }
            let line = unsafe UnsafeBufferPointer(start: bytes, count: count)
            return unsafe events.received(line: line.span) ? 1 : 0
        }
        unsafe head.pointee.tunnel_line = { context, bytes, count in
            guard let handle = unsafe CurlEasyHandle.handle(context) else { return 0 }
            let line = unsafe UnsafeBufferPointer(start: bytes, count: count)
            unsafe handle.received(tunnelLine: line.span)
            return 1
        }
        note(unsafe chttp_easy_set_head(raw, head))
        note(
            unsafe chttp_easy_set_prereq(
                raw,
                { context, address, _, port, localPort in
                    guard let handle = unsafe CurlEasyHandle.handle(context),
                        let events = handle.events
                    else { return 1 }
                    handle.willWrite()
                    let address = unsafe address.map { unsafe String(cString: $0) }
                    return events.mayWrite(to: address, port: port, from: localPort) ? 0 : 1
                }, context))
        if isUpload { unsafe setUploadCallbacks(context) }
        if observesSteps {
            note(
                unsafe chttp_easy_set_lookup(
                    raw,
                    { _, _, context in
                        unsafe CurlEasyHandle.events(context)?.beganLookup()
                        return 0
                    }, context))
        }
        if hasTrailers {
            note(
                unsafe chttp_easy_set_trailers(
                    raw,
                    { list, context in
                        guard let events = unsafe CurlEasyHandle.events(context) else { return 1 }
                        for line in events.trailerLines {
                            guard let longer = unsafe chttp_list_append(list.pointee, line) else {
                                return 1
                            }
                            unsafe list.pointee = longer
                        }
                        return 0
                    }, context))
        }
    }

    private func setUploadCallbacks(_ context: UnsafeMutableRawPointer) {
        note(
            unsafe chttp_easy_set_read(
                raw,
                { data, size, count, context in
                    guard let events = unsafe CurlEasyHandle.events(context) else {
                        return Int(CHTTP_READ_ABORT)
                    }
                    return unsafe events.readBody(
                        into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
                }, context))
        note(
            unsafe chttp_easy_set_seek(
                raw,
                { context, offset, _ in
                    guard let events = unsafe CurlEasyHandle.events(context) else { return 1 }
                    return events.rewindBody(to: offset) ? 0 : 1
                }, context))
    }

    /// - Parameter isRestricted: `true` to ask ``events`` for permission before a socket is made.
    func setSocketOpener(isRestricted: Bool, userTimeoutMilliseconds: UInt32) {
        unsafe opener.pointee = chttp_socket_opener()
        unsafe opener.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        if isRestricted {
            unsafe opener.pointee.permits = { context, address in
                guard let events = unsafe CurlEasyHandle.events(context) else { return 0 }
                return unsafe events.permits(address.pointee) ? 1 : 0
            }
        }
        unsafe opener.pointee.opened = { context, descriptor, address in
            guard let handle = unsafe CurlEasyHandle.handle(context) else { return }
            handle.willConnect(descriptor)
            unsafe handle.events?.opened(descriptor, to: address.pointee)
        }
        unsafe opener.pointee.failed = { context, error in
            unsafe CurlEasyHandle.events(context)?.failedToOpen(error)
        }
        unsafe opener.pointee.user_timeout_ms = userTimeoutMilliseconds
        unsafe opener.pointee.keepalive_probes = Self.keepAliveProbes
        note(unsafe chttp_easy_set_socket_opener(raw, opener))
    }

    static let remarkCallback: chttp_remark_callback = { context, remark in
        unsafe events(context)?.noticed(remark)
    }

    static let streamObserver: chttp_stream_observer = { easy, event, error in
        guard let events = unsafe events(of: easy) else { return }
        switch event {
        case CHTTP_STREAM_ENDED: events.endedStream(withData: false)
        case CHTTP_STREAM_ENDED_WITH_DATA: events.endedStream(withData: true)
        case CHTTP_STREAM_CLOSED: events.closedStream(error: error)
        default: events.receivedSettings()
        }
    }

    static let streamWindow: chttp_stream_window = { easy, count in
        let window = unsafe events(of: easy)?.receivedFrame(of: count)
        return UInt32(clamping: window ?? 0)
    }

    static let handshakeCallback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let handle = unsafe handle(context) else { return 0 }
        handle.events?.beganHandshake()
        return handle.tlsPeer == .proxy ? 1 : 0
    }
}
