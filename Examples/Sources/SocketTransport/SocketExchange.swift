import Dispatch
import HTTPCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One request and its response, on a separate connection and with calls that block a thread.
actor SocketExchange: HTTPBodySource {
    private let request: HTTPRequest
    private let record: SocketRecord
    let attempt: Int
    private let limits: KeyValuePairs<HTTPError.Timer.Name, HTTPTimeouts.Limit>
    private let thread = SocketThread()
    private let descriptor = Atomic<Int32>(-1)
    private let isAbandoned = Atomic(false)
    private let trailerSection = Mutex<HTTPHeaders?>(nil)

    private var phase = HTTPError.Phase.resolving
    /// The time when the last byte of the request was sent.
    private var sent = Duration.zero
    private var head: HTTPResponse.Head?
    /// Received bytes that have not been read yet.
    private var rest: ArraySlice<UInt8> = []
    private var isChunked = false
    /// The remaining bytes of the body, or of its chunk; `nil` if the body ends with the
    /// connection.
    private var left: Int? = 0

    init(_ request: HTTPRequest) {
        self.request = request
        var timeouts = request.timeouts
        if request.deadline == nil {  // a deadline switches off unset limits
            if timeouts.connect == .standard { timeouts.connect = .after(.seconds(10)) }
            if timeouts.idle == .standard { timeouts.idle = .after(.seconds(60)) }
        }
        limits = [
            .connect: timeouts.connect, .responseHead: timeouts.responseHead,
            .idle: timeouts.idle, .total: timeouts.total,
            .deadline: request.timeLeft.map { .after($0) } ?? .never,
        ]
        // The limits count from here. Begun before the time left was read, they would end early.
        record = SocketRecord()
        attempt = request.call?.beginSend(record) ?? 1
    }

    deinit { _ = close(descriptor.load(ordering: .sequentiallyConsistent)) }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }

    /// Sends the request, and reads until the response's head is complete. The body is read later.
    func response(from target: HTTPTarget) async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try open(target.origin)
            try transmit(try await message(for: target))
            let head = try finalHead()
            try frame(head)
            phase = .receiving
            self.head = head
            let body = HTTPBody(source: self, length: isChunked ? nil : left.map(Int64.init))
            return HTTPResponse(head, body: body, to: request, timeline: record)
        } onCancel: {
            abandon()
        }
    }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler(operation: piece, onCancel: abandon)
    }

    nonisolated var trailers: HTTPHeaders? { trailerSection.withLock { $0 } }

    /// Wakes a blocked call; afterwards nothing is sent or received.
    nonisolated func abandon() {
        isAbandoned.store(true, ordering: .sequentiallyConsistent)
        _ = shutdown(descriptor.load(ordering: .sequentiallyConsistent), Int32(SHUT_RDWR))
    }

    // MARK: The connection

    /// Connects. A name is resolved to IPv4 addresses only, with no time limit.
    private func open(_ origin: HTTPOrigin) throws {
        let host = origin.host.filter { $0 != "[" && $0 != "]" }
        var wanted = unsafe addrinfo()
        unsafe wanted.ai_family = host.contains(":") ? AF_INET6 : AF_INET
        unsafe wanted.ai_protocol = Int32(IPPROTO_TCP)
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "\(origin.port)", &wanted, &found) == 0,
            let address = unsafe found?.pointee
        else { throw failure(.nameNotResolved, "the host has no address") }
        defer { unsafe freeaddrinfo(found) }

        phase = .connecting
        let made = unsafe socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        descriptor.store(made, ordering: .sequentiallyConsistent)
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        _ = fcntl(made, F_SETFL, O_NONBLOCK)  // so that waiting can have a limit
        var code = unsafe connect(made, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno
        if code == EINPROGRESS {
            var size = socklen_t(MemoryLayout<Int32>.size)
            _ = try whenReady(for: POLLOUT) {
                unsafe Int(getsockopt($0, SOL_SOCKET, SO_ERROR, &code, &size))
            }
        }
        if code != 0 { throw failure(.cannotConnect, "no connection", cause: SystemError(code)) }
    }

    /// Sends all bytes, or stops if the server has closed the connection. Its response is read all
    /// the same.
    private func transmit(_ bytes: [UInt8]) throws {
        phase = .sending
        var unsent = bytes[...]
        while !unsent.isEmpty {
            let part = Array(unsent.prefix(64 << 10))
            let count = try whenReady(for: POLLOUT) {
                unsafe send($0, part, part.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { break }
            unsent = unsent.dropFirst(count)
        }
        phase = .waiting
        sent = record.elapsed
    }

    /// Waits for bytes. At the end of a body that ends with the connection, there are none.
    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = try whenReady(for: POLLIN) { unsafe recv($0, &buffer, buffer.count, 0) }
        guard count > 0 || count == 0 && left == nil else {
            let code: HTTPError.Code = phase == .receiving ? .bodyIncomplete : .connectionLost
            throw failure(code, "the connection ended too soon")
        }
        rest = buffer[..<count]
    }

    /// Calls `call` once the socket will not block. The idle limit begins again with each call.
    private func whenReady(for events: Int32, _ call: (Int32) -> Int) throws -> Int {
        var watched = pollfd(
            fd: descriptor.load(ordering: .relaxed), events: Int16(events), revents: 0)
        while true {
            let elapsed = record.elapsed
            var (timer, timeLeft) = (HTTPError.Timer?.none, Duration.seconds(1_000_000))
            for case (let name, .after(let limit)) in limits where runs(name) {
                let start = name == .idle ? elapsed : name == .responseHead ? sent : .zero
                let time = max(.zero, limit - (elapsed - start))
                if time < timeLeft { (timer, timeLeft) = (HTTPError.Timer(name, limit), time) }
            }
            let wait = Int32((timeLeft / .milliseconds(1)).rounded(.up))
            if isAbandoned.load(ordering: .sequentiallyConsistent) { throw CancellationError() }
            let ready = unsafe wait > 0 ? poll(&watched, 1, wait) : 0
            if ready == 0, let timer {
                throw failure(.timedOut, "a time limit was exceeded", timer: timer)
            }
            guard ready > 0 else { continue }
            let result = call(watched.fd)
            let code = errno
            if isAbandoned.load(ordering: .sequentiallyConsistent) { throw CancellationError() }
            if result >= 0 || code != EAGAIN && code != EINTR { return result }
        }
    }

    /// Returns `true` if a limit runs in the present phase.
    private func runs(_ name: HTTPError.Timer.Name) -> Bool {
        switch name {
        case .connect: phase == .connecting
        case .idle: phase != .connecting
        case .responseHead: phase == .waiting
        case .tls, .total, .deadline: true
        }
    }

    // MARK: The messages

    /// Returns the request as it is sent; reads its whole body before.
    private func message(for target: HTTPTarget) async throws -> [UInt8] {
        let content: Data
        do {
            content = try await request.body.collect(upTo: 64 << 20)
        } catch let error {
            try Task.checkCancellation()
            throw failure(.requestBodyFailed, "the request's body failed", cause: error)
        }
        guard Int64(content.count) == request.body.length ?? Int64(content.count) else {
            throw failure(.requestBodyFailed, "the body's length is not the declared one")
        }
        var lines = ["\(request.method) \(target.originForm) HTTP/1.1"]
        if !request.headers.contains(.host) {
            lines.append("Host: \(target.origin.description.dropFirst("http://".count))")
        }
        lines += request.headers.map { "\($0.name.spelling): \($0.value)" }
        if !content.isEmpty || [.post, .put, .patch].contains(request.method) {
            lines.append("Content-Length: \(content.count)")
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
    }

    private func finalHead() throws -> HTTPResponse.Head {
        for _ in 0...20 {
            let line = try line()
            let elapsed = record.elapsed
            record.state.withLock { $0.firstByte = $0.firstByte ?? elapsed }
            guard let match = line.wholeMatch(of: /(HTTP\/1\.[01]) ([0-9]{3})(?s: .*)?/),
                let status = Int(match.2).flatMap(HTTPStatus.init), status != .switchingProtocols
            else { throw violation("the status line") }
            let head = HTTPResponse.Head(
                status: status, headers: try fields(), url: request.url,
                version: HTTPVersion(rawValue: String(match.1)))
            if status.class != .informational { return head }
            request.call?.report(.informational(head))
        }
        throw failure(.headersTooLarge, "too many interim responses")
    }

    /// Finds the end of the content (RFC 9112 §6.3).
    private func frame(_ head: HTTPResponse.Head) throws {
        if request.method == .head || [.noContent, .notModified].contains(head.status) { return }
        let coding = head.headers[combined: .transferEncoding]?.lowercased()
        let length = head.headers[combined: .contentLength]
        let match = length?.wholeMatch(of: /([0-9]+)(?:, *\1)*/)
        switch (coding, length, match.flatMap { Int($0.1) }) {
        case ("chunked", nil, _): isChunked = true
        case (nil, nil, _): left = nil
        case (nil, _, let length?): left = length
        default: throw violation("the length, or the coding")
        }
    }

    private func piece() throws -> Data? {
        if isChunked, left == 0 { try nextChunk() }
        if left != 0, rest.isEmpty { try receive() }
        let bytes = rest.prefix(left ?? .max)
        let elapsed = record.elapsed
        record.state.withLock {
            $0.responseBodyBytes += Int64(bytes.count)
            $0.decodedBodyBytes += Int64(bytes.count)
            $0.lastByte = bytes.isEmpty ? elapsed : nil
        }
        if bytes.isEmpty { abandon() }  // the connection is no longer needed
        rest = rest.dropFirst(bytes.count)
        left? -= bytes.count
        if isChunked, left == 0, try line() != "" { throw violation("a chunk beyond its size") }
        return bytes.isEmpty ? nil : Data(bytes)
    }

    /// Reads the size of the next chunk, and after the last chunk the trailers (RFC 9112 §7.1).
    private func nextChunk() throws {
        let match = try line().wholeMatch(of: /([0-9A-Fa-f]+)[ \t]*(?s:;.*)?/)
        guard let size = match.flatMap({ Int($0.1, radix: 16) }) else {
            throw violation("the size of a chunk")
        }
        left = size
        if size > 0 { return }
        isChunked = false
        let fields = try fields()
        trailerSection.withLock { $0 = fields.isEmpty ? nil : fields }
    }

    /// Reads a field section: of a head, or trailers.
    private func fields() throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        var size = 0
        while case let line = try line(), line != "" {
            size += line.utf8.count
            guard size <= 256 << 10, headers.count < 1000 else {
                throw failure(.headersTooLarge, "a section beyond 256 KiB or 1,000 fields")
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw violation("a field without a colon") }
            var value = parts[1].drop { $0 == " " || $0 == "\t" }
            while value.last == " " || value.last == "\t" { value.removeLast() }
            do throws(HTTPError) {
                try headers.append(HTTPHeaderName(String(parts[0])), String(value))
            } catch { throw violation(error.message) }
        }
        return headers
    }

    /// Reads a line that ends with CR LF, as UTF-8 or else ISO 8859-1.
    private func line() throws -> String {
        var line: [UInt8] = []
        while line.last != 10 {
            guard line.count <= 64 << 10 else { throw failure(.headersTooLarge, "a line too long") }
            if rest.isEmpty { try receive() }
            line += rest.prefix(1)
            rest = rest.dropFirst()
        }
        line.removeLast()
        guard line.popLast() == 13 else { throw violation("a line without CR LF") }
        return String(validating: line, as: UTF8.self)
            ?? String(line.map { Character(Unicode.Scalar($0)) })
    }

    private func violation(_ reason: String) -> HTTPError {
        failure(.protocolViolation, "the response is not HTTP: \(reason)")
    }

    private func failure(
        _ code: HTTPError.Code, _ message: String, timer: HTTPError.Timer? = nil,
        cause: (any Error)? = nil
    ) -> HTTPError {
        HTTPError(
            code, message, phase: phase, timer: timer,
            isRetryable: ![.protocolViolation, .headersTooLarge, .requestBodyFailed].contains(code),
            mayHaveReachedServer: [.sending, .waiting, .receiving].contains(phase), response: head,
            underlyingError: cause
        ).ending(request, attempt: attempt, elapsed: record.elapsed)
    }
}

/// A serial executor for the calls of one exchange, which may block. Dispatch has threads for some
/// 250 exchanges at a time; further ones wait.
private final class SocketThread: SerialExecutor {
    private let queue = DispatchQueue(label: "SocketTransport")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// The timeline of an exchange. A separate object, since a call retains it long after the
/// connection is gone.
final class SocketRecord: HTTPTimelineRecord {
    let state = Mutex(HTTPTimeline.Exchange(start: HTTPSystemClock().now))
    var exchange: HTTPTimeline.Exchange { state.withLock { $0 } }
    var elapsed: Duration { HTTPSystemClock().now - exchange.start }
}
