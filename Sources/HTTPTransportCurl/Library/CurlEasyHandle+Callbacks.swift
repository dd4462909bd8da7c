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

    static let headBegunCallback: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        unsafe events(context)?.beganHead()
    }

    static let headCallback:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int32 = {
            context, bytes, count in
            guard let events = unsafe events(context) else { return 0 }
            let head = unsafe UnsafeBufferPointer(start: bytes, count: count)
            return unsafe events.received(head: head.span) ? 1 : 0
        }

    static let lineCallback:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>, Int) -> Int32 = {
            context, bytes, count in
            guard let events = unsafe events(context) else { return 0 }
            let line = unsafe UnsafeBufferPointer(start: bytes, count: count)
            return unsafe events.received(line: line.span) ? 1 : 0
        }

    static let tunnelLineCallback:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>, Int) -> Int32 = {
            context, bytes, count in
            guard let handle = unsafe handle(context) else { return 0 }
            let line = unsafe UnsafeBufferPointer(start: bytes, count: count)
            unsafe handle.received(tunnelLine: line.span)
            return 1
        }

    static let writeCallback: chttp_data_callback = { data, size, count, context in
        guard let events = unsafe events(context) else { return Int(CHTTP_WRITE_ERROR) }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe events.received(body: bytes) ? bytes.count : Int(CHTTP_WRITE_ERROR)
    }

    static let readCallback: chttp_data_callback = { data, size, count, context in
        guard let events = unsafe events(context) else { return Int(CHTTP_READ_ABORT) }
        return unsafe events.readBody(
            into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
    }

    static let seekCallback: chttp_seek_callback = { context, offset, _ in
        guard let events = unsafe events(context) else { return 1 }
        return events.rewindBody(to: offset) ? 0 : 1
    }

    static let trailerCallback: chttp_trailer_callback = { list, context in
        guard let events = unsafe events(context) else { return 1 }
        for line in events.trailerLines {
            guard let longer = unsafe chttp_list_append(list.pointee, line) else { return 1 }
            unsafe list.pointee = longer
        }
        return 0
    }

    static let prereqCallback: chttp_prereq_callback = { context, address, _, port, localPort in
        guard let handle = unsafe handle(context), let events = handle.events else { return 1 }
        handle.willWrite()
        let address = unsafe address.map { unsafe String(cString: $0) }
        return events.mayWrite(to: address, port: port, from: localPort) ? 0 : 1
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

    static let openedCallback:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<chttp_address>
        ) -> Void = { context, descriptor, address in
            guard let handle = unsafe handle(context) else { return }
            handle.willConnect(descriptor)
            unsafe handle.events?.opened(descriptor, to: address.pointee)
        }

    static let lookupCallback: chttp_lookup_callback = { _, _, context in
        unsafe events(context)?.beganLookup()
        return 0
    }

    static let handshakeCallback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let handle = unsafe handle(context) else { return 0 }
        handle.events?.beganHandshake()
        return handle.tlsPeer == .proxy ? 1 : 0
    }

    static let notOpenedCallback: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void = {
        context, error in
        unsafe events(context)?.failedToOpen(error)
    }

    static let permitsCallback:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<chttp_address>) -> Int32 = {
            context, address in
            guard let events = unsafe events(context) else { return 0 }
            return unsafe events.permits(address.pointee) ? 1 : 0
        }
}
