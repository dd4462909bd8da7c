public import HTTPCore
import HTTPFormats
import PortableFoundation

/// A middleware that writes exchanges to a log, in the detail that its level asks for. It writes no
/// secrets except those in bodies: sensitive fields are redacted, and URLs appear without user
/// information, query and fragment.
///
/// Runs per exchange (row 11), so it logs what is sent and received in each attempt and hop. All
/// texts of one exchange begin with the same numbers: those of the call and of the attempt.
public struct HTTPLogging: HTTPClientMiddleware {
    /// The detail of a log. Each level has all that the one before it has.
    public enum Level: Int, Sendable, Comparable {
        /// Nothing is written.
        case none
        /// A line for the request, one for the response, and one for the end of its body.
        case basic
        /// The lines of ``basic``, and the fields.
        case headers
        /// The lines of ``headers``, and bodies that are text, up to a limit, as they are sent or
        /// read. A body is shown even if it contains secrets.
        case body

        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    package var level: Level
    /// The number of bytes of a body that are shown.
    package var bodyLimit: Int
    private let write: @Sendable (HTTPLogRecord) -> Void

    /// Creates a middleware that writes texts for people.
    ///
    /// - Parameters:
    ///   - level: The detail of the log.
    ///   - bodyLimit: The number of bytes of a body that are shown, at the level ``Level/body``.
    ///   - write: Receives one text of one or more lines at a time. It is called synchronously, so
    ///     it should return at once.
    public init(
        _ level: Level = .basic, bodyLimit: Int = 4 << 10,
        to write: @escaping @Sendable (String) -> Void
    ) {
        self.init(records: level, bodyLimit: bodyLimit) { write($0.description) }
    }

    /// Creates a middleware that writes records, such as for a log of JSON:
    /// `HTTPLogging(records: .headers) { print($0.json) }`.
    ///
    /// - Parameters:
    ///   - level: The detail of the log.
    ///   - bodyLimit: The number of bytes of a body that are shown, at the level ``Level/body``.
    ///   - write: Receives one record at a time. It is called synchronously, so it should return at
    ///     once.
    public init(
        records level: Level, bodyLimit: Int = 4 << 10,
        to write: @escaping @Sendable (HTTPLogRecord) -> Void
    ) {
        self.level = level
        self.bodyLimit = bodyLimit
        self.write = write
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard level > .none else { return try await next.response(for: request) }
        // The request as it will be sent.
        let request = try request.prepared()
        let clock = request.currentCall.clock
        let exchange = request.currentCall.sends + 1
        let start = clock.now
        write(record(of: request, exchange))
        do {
            var response = try await next.response(for: request)
            var record = HTTPLogRecord(
                .response, request, exchange: exchange, after: clock.now - start)
            record.status = response.status
            record.headers = fields(response.headers)
            write(record)
            response.body = observed(response, of: request, exchange, since: start, on: clock)
            return response
        } catch {
            var record = HTTPLogRecord(
                .failed, request, exchange: exchange, after: clock.now - start)
            record.note(error)
            write(record)
            throw error
        }
    }

    private func fields(_ headers: HTTPHeaders) -> [HTTPLogRecord.Field]? {
        level >= .headers ? headers.map { HTTPLogRecord.Field($0) } : nil
    }

    private func record(of request: HTTPRequest, _ exchange: Int) -> HTTPLogRecord {
        var record = HTTPLogRecord(.request, request, exchange: exchange)
        record.headers = fields(request.headers)
        guard !request.body.isEmpty else { return record }
        record.bodyBytes = request.body.length
        record.hasUnknownLength = request.body.length == nil
        if level >= .body {
            record.body =
                request.body.bytes.map {
                    BodyExcerpt($0, limit: bodyLimit).text(request.headers.contentType)
                } ?? "(not in memory, not shown)"
        }
        return record
    }

    /// Returns the response's body, which also logs how it ends.
    private func observed(
        _ response: HTTPResponse, of request: HTTPRequest, _ exchange: Int,
        since start: HTTPInstant, on clock: any HTTPClock
    ) -> HTTPBody {
        let excerpt = Locked(BodyExcerpt(limit: level >= .body ? bodyLimit : 0))
        let type = response.headers.contentType
        let body: HTTPBody
        if let bytes = response.body.bytes {
            excerpt.withLock { $0.add(bytes) }
            body = response.body
        } else {
            body = response.body.reportingPieces { _, piece in excerpt.withLock { $0.add(piece) } }
        }
        var record = HTTPLogRecord(.ended, request, exchange: exchange)
        record.status = response.status
        body.whenEnded { [write, level, record] end in
            let excerpt = excerpt.withLock { $0 }
            var record = record
            record.duration = clock.now - start
            record.bodyBytes = Int64(excerpt.count)
            switch end {
            case .complete: record.bodyEnd = .complete
            case .abandoned: record.bodyEnd = .abandoned
            case .failed(let error):
                record.bodyEnd = .failed
                record.note(error)
            }
            if level >= .body, excerpt.count > 0 { record.body = excerpt.text(type) }
            write(record)
        }
        return body
    }
}

/// The beginning of a body.
private struct BodyExcerpt: Sendable {
    private let limit: Int
    private var bytes = Data()
    private(set) var count = 0

    init(_ bytes: Data = Data(), limit: Int) {
        self.limit = limit
        add(bytes)
    }

    mutating func add(_ piece: Data) {
        count += piece.count
        let room = limit - bytes.count
        if room > 0 { bytes += piece.prefix(room) }
    }

    /// Returns the bytes as text with a note of how many are left out, or a note that they are not
    /// text.
    func text(_ type: MediaType?) -> String {
        // The limit may have cut a character.
        let cuts = count > bytes.count ? 0...3 : 0...0
        guard type?.isText ?? true,
            let text = cuts.lazy.compactMap({
                String(validating: bytes.dropLast($0), as: UTF8.self)
            }).first, !text.unicodeScalars.contains(where: \.steersTerminal)
        else { return "(not text, not shown)" }
        let rest = count - text.utf8.count
        return rest > 0 ? text + "\n(\(rest) bytes more)" : text
    }
}

extension MediaType {
    fileprivate var isText: Bool {
        type == "text" || isJSON || isXML || isJavaScript
            || essence == MediaType.formURLEncoded.essence
    }
}
