#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The content of a request or a response: its bytes in order, as pieces of any size.
///
/// Replayable (bytes, a file, a restartable producer) or one-shot (a stream, arrived or not), with a known
/// length or none. A stream can be iterated once: a second iteration throws `bodyAlreadyRead`. An iterator
/// that is dropped in the middle of a loop gives the rest up, and so does dropping the last copy.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Element = Data

    private enum Storage: Sendable {
        case bytes(Data)
        indirect case bytesWithTrailers(Data, HTTPHeaders)
        case arrived(HTTPBodyArrival)
        case file(HTTPBodyFile)
        case restartable(Restartable)
        case stream(HTTPBodyStream, length: Int64?)
    }

    private struct Restartable: Sendable {
        var length: Int64?
        var start: @Sendable () async throws -> any HTTPBodySource
    }

    private let storage: Storage

    public static var empty: HTTPBody { HTTPBody(Data()) }

    public init(_ bytes: Data) { storage = .bytes(bytes) }

    /// The text as UTF-8.
    public init(_ text: String) { self.init(Data(text.utf8)) }

    /// A body that was read in full, with the trailers that followed it.
    public init(_ bytes: Data, trailers: HTTPHeaders?) {
        storage = trailers.map { .bytesWithTrailers(bytes, $0) } ?? .bytes(bytes)
    }

    /// A one-shot body that has come in full, for transports: whoever reads it cannot tell it from one
    /// that is still on its way, but by ``bytes``.
    public init(arrived bytes: Data, trailers: HTTPHeaders? = nil) {
        storage = .arrived(HTTPBodyArrival(bytes, trailers: trailers))
    }

    /// A one-shot body.
    ///
    /// - Parameter length: in bytes, if known; sending one that ends sooner or goes on longer fails.
    public init(source: any HTTPBodySource, length: Int64? = nil) {
        storage = .stream(HTTPBodyStream(source), length: length)
    }

    /// A replayable body: `restartable` makes a source that starts at the first byte, once per send.
    public init(
        length: Int64?, restartable: @escaping @Sendable () async throws -> any HTTPBodySource
    ) {
        storage = .restartable(Restartable(length: length, start: restartable))
    }

    /// A one-shot body of what a sequence yields.
    public init<Bytes: AsyncSequence & Sendable>(_ sequence: Bytes, length: Int64? = nil)
    where Bytes.Element == Data {
        self.init(source: AsyncSequenceBodySource(sequence), length: length)
    }

    /// A replayable body of what a sequence yields that can be made again.
    public init<Bytes: AsyncSequence & Sendable>(
        length: Int64?, restarting sequence: @escaping @Sendable () async throws -> Bytes
    ) where Bytes.Element == Data {
        self.init(length: length) { AsyncSequenceBodySource(try await sequence()) }
    }

    /// A replayable body read from a file, which is looked at now and opened once per send.
    ///
    /// - Parameter range: the bytes to send; all of the file without one.
    /// - Throws: `invalidRequest` when there is no such file, it cannot be read, is no regular file,
    ///   or is shorter than the range.
    public init(file path: String, range: Range<Int64>? = nil) throws(HTTPError) {
        storage = .file(try HTTPBodyFile(path: path, range: range))
    }
}

// MARK: - What is known without reading

extension HTTPBody {
    public enum Replay: Hashable, Sendable {
        /// May be read any number of times.
        case always
        /// May be read once, see ``HTTPBody/canBeSent``.
        case once
    }

    /// In bytes, or `nil` when only the end will tell.
    public var length: Int64? {
        switch storage {
        case .bytes(let data), .bytesWithTrailers(let data, _): Int64(data.count)
        case .arrived(let arrival): Int64(arrival.bytes.count)
        case .file(let file): file.length
        case .restartable(let restartable): restartable.length
        case .stream(_, let length): length
        }
    }

    /// Whether the length is known to be zero.
    public var isEmpty: Bool { length == 0 }

    /// The file that is this body, for transports that read it by themselves.
    package var file: HTTPBodyFile? {
        if case .file(let file) = storage { file } else { nil }
    }

    /// Of the file that is this body, all of it.
    package var wholeFile: String? {
        if case .file(let file) = storage, !file.isPart { file.path } else { nil }
    }

    public var replay: Replay {
        switch storage {
        case .arrived, .stream: .once
        case .bytes, .bytesWithTrailers, .file, .restartable: .always
        }
    }

    /// Whether the bytes are in memory and may be read any number of times.
    var isValue: Bool {
        switch storage {
        case .bytes, .bytesWithTrailers: true
        case .arrived, .file, .restartable, .stream: false
        }
    }

    /// Whether bytes may still be to come, so that reading may fail.
    package var isStream: Bool {
        if case .stream = storage { true } else { false }
    }

    /// Whether reading starts at the first byte: always for a replayable body, for a one-shot body
    /// until somebody has read from it or given it up.
    public var canBeSent: Bool {
        switch storage {
        case .arrived(let arrival): arrival.isUnread
        case .stream(let stream, _): stream.isUnread
        case .bytes, .bytesWithTrailers, .file, .restartable: true
        }
    }

    /// The bytes, when they are in memory.
    public var bytes: Data? {
        switch storage {
        case .bytes(let data), .bytesWithTrailers(let data, _): data
        case .arrived(let arrival): arrival.bytes
        case .file, .restartable, .stream: nil
        }
    }

    /// The trailer section; `nil` until the body has ended, or when there was none.
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
    /// The default limit of ``collect(upTo:)``: 16 MiB.
    public static var defaultLimit: Int { 16 << 20 }

    /// All bytes, in memory. Again and from several tasks at once, the same bytes.
    ///
    /// - Parameter limit: in bytes, after content decoding.
    /// - Throws: `bodyTooLarge` beyond the limit, the rest is given up; `bodyAlreadyRead` when
    ///   another reader iterates or has iterated a one-shot body, or gives it up meanwhile; what broke the
    ///   body, every time.
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

    /// Gives the rest of a stream up and returns once its connection is free again, for whoever is
    /// about to send the next request. A replayable body has nothing to give up.
    ///
    /// A reader of the stream gets `bodyAlreadyRead`, since what it has read is not the whole.
    public func discard() async {
        switch storage {
        case .arrived(let arrival): arrival.giveUp()
        case .stream(let stream, _): await stream.discard()
        case .bytes, .bytesWithTrailers, .file, .restartable: break
        }
    }

    /// Gives the rest of a stream up at once; its connection is cut if bytes are still to come.
    ///
    /// A reader of the stream gets `bodyAlreadyRead`, since what it has read is not the whole.
    public func abandon() {
        switch storage {
        case .arrived(let arrival): arrival.giveUp()
        case .stream(let stream, _): stream.abandon()
        case .bytes, .bytesWithTrailers, .file, .restartable: break
        }
    }

    /// Runs `handler` exactly once, when the body ends: read to its end, failed, or given up, the
    /// latter also when its last copy is dropped. At once when it has ended, and for a body that is
    /// replayable or has arrived, which holds nothing open. Runs on the thread that ended the body;
    /// it should return at once, and must not hold the body, which would then never be dropped.
    public func whenEnded(_ handler: @escaping @Sendable (HTTPBodyEnd) -> Void) {
        if case .stream(let stream, _) = storage {
            stream.whenEnded(handler)
        } else {
            handler(.complete(trailers: trailers))
        }
    }

    /// Writes the body to a file, from `offset` on.
    ///
    /// - Returns: the number of bytes written.
    /// - Throws: `fileNotWritten` with the system's error, or what broke the body.
    @concurrent public func write(
        toDescriptor descriptor: Int32, at offset: Int64 = 0
    ) async throws -> Int64 {
        if case .stream(let stream, _) = storage {
            return try await stream.write(toDescriptor: descriptor, at: offset)
        }
        return try await HTTPBodyStream(try await makeSource())
            .write(toDescriptor: descriptor, at: offset)
    }

    /// A source at the first byte of a replayable body.
    private func makeSource() async throws -> any HTTPBodySource {
        switch storage {
        case .bytes(let data), .bytesWithTrailers(let data, _): BytesBodySource(data)
        case .arrived(let arrival): BytesBodySource(try arrival.claim())
        case .file(let file): FileBodySource(file)
        case .restartable(let restartable): try await restartable.start()
        case .stream: throw HTTPError.bodyAlreadyRead
        }
    }

    /// The bytes, when they are in memory and whoever asks is the one to read them.
    private func claimBytes() throws(HTTPError) -> Data? {
        if case .arrived(let arrival) = storage { try arrival.claim() } else { bytes }
    }

    /// The one reader of a stream, a new one of a replayable body.
    package func makeReader() async throws -> HTTPBodyReader {
        if case .stream(let stream, _) = storage { return try HTTPBodyReader(stream) }
        return try HTTPBodyReader(HTTPBodyStream(try await makeSource()))
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    /// Reads a body piece by piece. A copy reads on where the original is.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case start(HTTPBody)
            case reading(HTTPBodyReader)
            case over
        }

        private var state: State

        fileprivate init(body: HTTPBody) { state = .start(body) }

        public mutating func next() async throws -> Data? { try await next(isolation: nil) }

        /// Runs where its caller runs, whatever is passed.
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
            .bodyAlreadyRead, "the body can be read once, and somebody has: collect() it instead")
    }

    /// A reader's error when another holder has given the body up.
    package static var bodyGivenUp: HTTPError {
        HTTPError(
            .bodyAlreadyRead,
            "the body was given up before its end, by abandon() or discard() of another holder",
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
    /// Kind and length, none of the bytes.
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
    /// These bytes if they are within the limit, counted from index 0 for whoever takes them for an
    /// array.
    func checked(upTo limit: Int) throws(HTTPError) -> Data {
        guard count <= limit else { throw HTTPError.bodyTooLarge(limit: limit) }
        return startIndex == 0 ? self : Data(self)
    }
}
