public import PortableFoundation

/// The content of a request or a response: its bytes in order, in pieces of any size.
///
/// A body is replayable (bytes, a file, a restartable producer) or one-shot (a stream), and its
/// length is known or unknown. A one-shot body can be iterated once: a second iteration throws
/// `bodyAlreadyRead`. Releasing an iterator before the end abandons the rest of the stream, and so
/// does releasing the last copy of the body.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Element = Data

    private enum Storage: Sendable {
        case bytes(Data)
        indirect case bytesWithTrailers(Data, HTTPHeaders)
        case arrived(HTTPBodyArrival)
        case file(HTTPBodyFile)
        indirect case restartable(Restartable)
        case stream(HTTPBodyStream, length: Int64?)
    }

    private struct Restartable: Sendable {
        var length: Int64?
        var start: @Sendable () async throws -> any HTTPBodySource
        /// The body with the same bytes that this one reads, if there is one.
        var original: HTTPBody?
        /// Receives the progress of a reading.
        var report: (@Sendable (HTTPBodyProgress, Data) -> Void)?
    }

    private let storage: Storage

    /// A body of no bytes.
    public static var empty: HTTPBody { HTTPBody(Data()) }

    /// Creates a body of bytes in memory, which can be sent any number of times.
    public init(_ bytes: Data) { storage = .bytes(bytes) }

    /// Creates a replayable body of the text in UTF-8.
    public init(_ text: String) { self.init(Data(text.utf8)) }

    /// Creates a replayable body of bytes that were read in full, with the trailers that followed
    /// them.
    public init(_ bytes: Data, trailers: HTTPHeaders?) {
        storage = if let trailers { .bytesWithTrailers(bytes, trailers) } else { .bytes(bytes) }
    }

    /// Creates a one-shot body whose bytes have all arrived, for transports. A reader cannot
    /// distinguish it from a body that is still arriving, except by ``bytes``.
    public init(arrived bytes: Data, trailers: HTTPHeaders? = nil) {
        storage = .arrived(HTTPBodyArrival(bytes, trailers: trailers))
    }

    /// Creates a one-shot body.
    ///
    /// - Parameters:
    ///   - source: The source of the bytes.
    ///   - length: The length in bytes, if it is known. Sending fails if the source produces more
    ///     or fewer bytes.
    public init(source: any HTTPBodySource, length: Int64? = nil) {
        storage = .stream(HTTPBodyStream(source), length: length)
    }

    /// Creates a replayable body. Each time the body is sent or read, `restartable` makes a source
    /// that starts at the first byte.
    public init(
        length: Int64?, restartable: @escaping @Sendable () async throws -> any HTTPBodySource
    ) {
        storage = .restartable(Restartable(length: length, start: restartable))
    }

    /// Creates a replayable body with the bytes of `original`, which it reads and reports.
    init<Bytes: AsyncSequence & Sendable>(
        of original: HTTPBody, restarting sequence: @escaping @Sendable () -> Bytes,
        report: @escaping @Sendable (HTTPBodyProgress, Data) -> Void
    ) where Bytes.Element == Data {
        storage = .restartable(
            Restartable(
                length: original.length, start: { AsyncSequenceBodySource(sequence()) },
                original: original, report: report))
    }

    /// Creates a one-shot body of the elements of a sequence.
    public init<Bytes: AsyncSequence & Sendable>(_ sequence: Bytes, length: Int64? = nil)
    where Bytes.Element == Data {
        self.init(source: AsyncSequenceBodySource(sequence), length: length)
    }

    /// Creates a replayable body of the elements of a sequence that can be created again.
    public init<Bytes: AsyncSequence & Sendable>(
        length: Int64?, restarting sequence: @escaping @Sendable () async throws -> Bytes
    ) where Bytes.Element == Data {
        self.init(length: length) { AsyncSequenceBodySource(try await sequence()) }
    }

    /// Creates a replayable body from a file. The file is checked now, and opened each time the
    /// body is sent or read.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - range: The bytes to send, or `nil` for the whole file.
    /// - Throws: `invalidRequest` if there is no such file, or it cannot be read, is not a regular
    ///   file, or is shorter than the range.
    public init(file path: String, range: Range<Int64>? = nil) throws(HTTPError) {
        storage = .file(try HTTPBodyFile(path: path, range: range))
    }

    /// Creates a replayable body from the file of a file URL. See ``init(file:range:)-(String,_)``.
    public init(file: URL, range: Range<Int64>? = nil) throws(HTTPError) {
        try self.init(file: file.filePath, range: range)
    }
}

// MARK: - Properties

extension HTTPBody {
    /// The number of times that a body can be read.
    public enum Replay: Hashable, Sendable {
        /// The body can be read any number of times.
        case always
        /// The body can be read once. See ``HTTPBody/canBeSent``.
        case once
    }

    /// The length in bytes, or `nil` if it is not known before the end.
    public var length: Int64? {
        switch storage {
        case .bytes(let data), .bytesWithTrailers(let data, _): Int64(data.count)
        case .arrived(let arrival): Int64(arrival.bytes.count)
        case .file(let file): file.length
        case .restartable(let restartable): restartable.length
        case .stream(_, let length): length
        }
    }

    /// `true` if the length is known to be zero.
    public var isEmpty: Bool { length == 0 }

    /// The file of this body, for transports that read the file themselves.
    package var file: HTTPBodyFile? {
        if case .file(let file) = storage { file } else { nil }
    }

    /// The path of the file, if this body is a whole file.
    package var wholeFile: String? {
        if case .file(let file) = storage, !file.isPart { file.path } else { nil }
    }

    /// The number of times that this body can be read. A request whose body can be read once is not
    /// sent again after bytes of it were read.
    public var replay: Replay {
        switch storage {
        case .arrived, .stream: .once
        case .bytes, .bytesWithTrailers, .file, .restartable: .always
        }
    }

    /// The body with the same bytes that does not report its progress, for layers that read it
    /// without sending it.
    package var unreported: HTTPBody {
        guard case .restartable(let restartable) = storage else { return self }
        return restartable.original?.unreported ?? self
    }

    /// Returns what `transform` makes of this body, or of the one whose progress it reports; the
    /// progress is then that of the result.
    package func transformed(
        _ transform: (HTTPBody) throws(HTTPError) -> HTTPBody
    ) throws(HTTPError) -> HTTPBody {
        guard case .restartable(let restartable) = storage, let report = restartable.report,
            let original = restartable.original
        else { return try transform(self) }
        return try original.transformed(transform).reportingPieces(report)
    }

    /// `true` if the bytes are in memory and can be read any number of times.
    var isValue: Bool {
        switch storage {
        case .bytes, .bytesWithTrailers: true
        case .arrived, .file, .restartable, .stream: false
        }
    }

    /// `true` if the bytes are in memory: ``bytes`` is not `nil`.
    package var isBytes: Bool {
        switch storage {
        case .bytes, .bytesWithTrailers, .arrived: true
        case .file, .restartable, .stream: false
        }
    }

    /// `true` if bytes may still arrive, so that reading may fail.
    package var isStream: Bool {
        if case .stream = storage { true } else { false }
    }

    /// Refuses to read a stream, with `error`, until ``permitReading()``.
    package func refuseReading(_ error: HTTPError) {
        if case .stream(let stream, _) = storage { stream.refuse(error) }
    }

    /// Permits again to read a stream.
    ///
    /// - Returns: `true` if a reading was refused, or the bytes were asked for, since
    ///   ``refuseReading(_:)``.
    @discardableResult
    package func permitReading() -> Bool {
        if case .stream(let stream, _) = storage { stream.permit() } else { false }
    }

    var streamSource: (any HTTPBodySource)? {
        if case .stream(let stream, _) = storage { stream.source } else { nil }
    }

    /// `true` if reading would start at the first byte: always for a replayable body, and for a
    /// one-shot body until it is read, discarded or abandoned.
    public var canBeSent: Bool {
        switch storage {
        case .arrived(let arrival): arrival.isUnread
        case .stream(let stream, _): stream.isUnread
        case .bytes, .bytesWithTrailers, .file, .restartable: true
        }
    }

    /// The bytes, if they are in memory.
    public var bytes: Data? {
        switch storage {
        case .bytes(let data), .bytesWithTrailers(let data, _): data
        case .arrived(let arrival): arrival.bytes
        case .stream(let stream, _): stream.withoutBytes
        case .file, .restartable: nil
        }
    }

    /// The trailer section (RFC 9110 §6.5): empty if there was none, and `nil` if the body has not
    /// ended, or if the transport cannot know. See the guide "HTTP versions".
    public var trailers: HTTPHeaders? {
        switch storage {
        case .bytesWithTrailers(_, let trailers): trailers
        case .arrived(let arrival): arrival.trailers
        case .stream(let stream, _): stream.trailers
        case .bytes, .file, .restartable: nil
        }
    }
}

// MARK: - Reading

extension HTTPBody {
    /// The default limit of ``collect(upTo:)``, 16 MiB.
    public static var defaultLimit: Int { 16 << 20 }

    /// Returns all bytes. Further calls, and calls from several tasks at once, return the same
    /// bytes.
    ///
    /// - Parameter limit: The maximum number of bytes, after content decoding.
    /// - Throws: `bodyTooLarge` if the body is longer than the limit, and the rest is abandoned;
    ///   `bodyAlreadyRead` if another reader iterates or has iterated a one-shot body, or abandons
    ///   or discards it meanwhile; the error that ended the body, on every call.
    @concurrent public func collect(upTo limit: Int = defaultLimit) async throws -> Data {
        switch storage {
        case .bytes(let bytes), .bytesWithTrailers(let bytes, _):
            return try bytes.checked(upTo: limit)
        case .arrived(let arrival): return try arrival.collect(upTo: limit)
        case .stream(let stream, let length):
            return try await stream.collect(upTo: limit, length: length)
        case .file, .restartable: break
        }
        if let length, length > limit { throw HTTPError.bodyTooLarge(limit: limit) }
        return try await HTTPBodyStream(try await makeSource())
            .collect(upTo: limit, length: length)
    }

    /// Discards the rest of a stream, and returns once its connection is free again. Call this
    /// before sending the next request. A replayable body has nothing to discard.
    ///
    /// A current reader of the stream receives `bodyAlreadyRead`, because what it has read is not
    /// the whole body.
    public func discard() async {
        switch storage {
        case .arrived(let arrival): arrival.giveUp()
        case .stream(let stream, _): await stream.discard()
        case .bytes, .bytesWithTrailers, .file, .restartable: break
        }
    }

    /// Abandons the rest of a stream immediately. Closes its connection if bytes are still to come.
    ///
    /// A current reader of the stream receives `bodyAlreadyRead`, because what it has read is not
    /// the whole body.
    public func abandon() {
        switch storage {
        case .arrived(let arrival): arrival.giveUp()
        case .stream(let stream, _): stream.abandon()
        case .bytes, .bytesWithTrailers, .file, .restartable: break
        }
    }

    /// Calls `handler` exactly once, when the body ends: when it has been read to its end, has
    /// failed, or was discarded or abandoned, or when its last copy is released.
    ///
    /// Calls it immediately if the body has ended already, and for a body that is replayable or has
    /// arrived, because such a body holds no connection. The handler runs on the thread that ended
    /// the body and must return quickly. It must not hold a reference to the body, which would then
    /// never be released.
    public func whenEnded(_ handler: @escaping @Sendable (HTTPBodyEnd) -> Void) {
        if case .stream(let stream, _) = storage {
            stream.whenEnded(handler)
        } else {
            handler(.complete(trailers: trailers))
        }
    }

    /// Writes the body to a file, starting at `offset`.
    ///
    /// - Returns: The number of bytes written.
    /// - Throws: `fileNotWritten` with the system's error, or the error that ended the body.
    @concurrent public func write(
        toDescriptor descriptor: Int32, at offset: Int64 = 0
    ) async throws -> Int64 {
        if case .stream(let stream, _) = storage {
            return try await stream.write(toDescriptor: descriptor, at: offset)
        }
        return try await HTTPBodyStream(try await makeSource())
            .write(toDescriptor: descriptor, at: offset)
    }

    /// Returns a source that starts at the first byte of a replayable body.
    private func makeSource() async throws -> any HTTPBodySource {
        switch storage {
        case .bytes(let data), .bytesWithTrailers(let data, _): BytesBodySource(data)
        case .arrived(let arrival): BytesBodySource(try arrival.claim())
        case .file(let file): FileBodySource(file)
        case .restartable(let restartable): try await restartable.start()
        case .stream: throw HTTPError.bodyAlreadyRead
        }
    }

    /// Returns the bytes if they are in memory. Throws `bodyAlreadyRead` if the body has arrived
    /// and was read already.
    private func claimBytes() throws(HTTPError) -> Data? {
        if case .arrived(let arrival) = storage { try arrival.claim() } else { bytes }
    }

    /// Returns the only reader of a stream, or a new reader of a replayable body.
    package func makeReader() async throws -> HTTPBodyReader {
        if case .stream(let stream, _) = storage { return try HTTPBodyReader(stream) }
        return try HTTPBodyReader(HTTPBodyStream(try await makeSource()))
    }

    /// Returns the only reader of a stream, and `nil` for other bodies.
    package func claimReader() throws(HTTPError) -> HTTPBodyReader? {
        guard case .stream(let stream, _) = storage else { return nil }
        return try HTTPBodyReader(stream)
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    /// Reads a body piece by piece. A copy continues where the original is.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case start(HTTPBody)
            case reading(HTTPBodyReader)
            case over
        }

        private var state: State

        fileprivate init(body: HTTPBody) { state = .start(body) }

        public mutating func next() async throws -> Data? { try await next(isolation: nil) }

        /// Runs in the isolation of its caller, whatever is passed.
        public nonisolated(nonsending) mutating func next(
            isolation _: (any Actor)?
        ) async throws -> Data? {
            switch state {
            case .over: return nil
            case .start(let body):
                state = .over
                if let bytes = try body.claimBytes() { return bytes.isEmpty ? nil : bytes }
                let reader = try await body.makeReader()
                state = .reading(reader)
                return try await reader.next()
            case .reading(let reader):
                return try await reader.next()
            }
        }
    }
}

extension HTTPError {
    package static var bodyAlreadyRead: HTTPError {
        HTTPError(
            .bodyAlreadyRead,
            "the body can be read only once, and has been read: use collect() instead",
            phase: .receiving)
    }

    /// The error of a reader when another holder has abandoned or discarded the body.
    package static var bodyGivenUp: HTTPError {
        HTTPError(
            .bodyAlreadyRead,
            "another holder ended the body early, with abandon() or discard()",
            phase: .receiving, mayHaveReachedServer: true)
    }

    package static func bodyTooLarge(limit: Int) -> HTTPError {
        HTTPError(
            .bodyTooLarge,
            "the body is longer than \(limit) bytes: raise the limit, or read it as a stream",
            phase: .receiving, mayHaveReachedServer: true)
    }
}

extension HTTPBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the length, but none of the bytes.
    public var description: String {
        let kind =
            switch storage {
            case .bytes, .bytesWithTrailers, .arrived: "bytes"
            case .file: "file"
            case .restartable: "restartable"
            case .stream: "stream"
            }
        return "\(kind), \(length.map { "\($0) B" } ?? "length unknown")"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Data {
    /// Returns these bytes if they are within the limit. Their indices start at 0, for callers that
    /// use them like an array.
    func checked(upTo limit: Int) throws(HTTPError) -> Data {
        guard count <= limit else {
            throw HTTPError.bodyTooLarge(limit: limit).beginning(self)
        }
        return startIndex == 0 ? self : Data(self)
    }
}
