public import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A middleware that writes exchanges to a log, in the detail that its level asks for. It writes no
/// secrets except those in bodies: sensitive fields are redacted, and URLs appear without user
/// information, query and fragment.
///
/// Runs per exchange (row 11), so it logs what is sent and received in each attempt and hop. All
/// texts of one exchange begin with the same numbers: those of the call and of the attempt.
public struct HTTPLogging: HTTPClientMiddleware {
    public enum Level: Int, Sendable, Comparable {
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
    private let write: @Sendable (String) -> Void

    /// - Parameter write: receives one text of one or more lines at a time. It is called
    ///   synchronously, so it should return at once.
    public init(
        _ level: Level = .basic, bodyLimit: Int = 4 << 10,
        to write: @escaping @Sendable (String) -> Void
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
        let request = try request.beginningCall().prepared()
        let clock = request.call?.clock ?? .system
        let name = "\(request.call?.id ?? 0).\((request.call?.sends ?? 0) + 1)"
        let start = clock.now
        write(text(request, name))
        do {
            var response = try await next.response(for: request)
            write(text(response, name, after: clock.now - start))
            response.body = observed(response, name, since: start, on: clock)
            return response
        } catch {
            write("\(name) <-- failed after \((clock.now - start).milliseconds): \(error.logged)")
            throw error
        }
    }

    private func text(_ request: HTTPRequest, _ name: String) -> String {
        var text = "\(name) --> \(request)"
        text +=
            request.body.isEmpty ? "" : " (\(request.body.length.map { "\($0)" } ?? "some") bytes)"
        if level >= .headers { text.append(request.headers) }
        if level >= .body, !request.body.isEmpty {
            let type = request.headers.contentType
            text += "\n\n"
            if let bytes = request.body.bytes {
                text += BodyExcerpt(bytes, limit: bodyLimit).text(type)
            } else {
                text += "(not in memory, not shown)"
            }
        }
        return text
    }

    private func text(_ response: HTTPResponse, _ name: String, after time: Duration) -> String {
        var text = "\(name) <-- \(response.status) in \(time.milliseconds)"
        if level >= .headers { text.append(response.headers) }
        return text
    }

    /// Returns the response's body, which also logs how it ends.
    private func observed(
        _ response: HTTPResponse, _ name: String, since start: HTTPInstant, on clock: any HTTPClock
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
        body.whenEnded { [write, level] end in
            let excerpt = excerpt.withLock { $0 }
            var text = "\(name) <-- body of \(excerpt.count) bytes \(end.logged)"
            text += " after \((clock.now - start).milliseconds)"
            if level >= .body, excerpt.count > 0 { text += "\n\n" + excerpt.text(type) }
            write(text)
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

extension String {
    fileprivate mutating func append(_ headers: HTTPHeaders) {
        for field in headers { self += "\n\(field)" }
    }
}

extension MediaType {
    fileprivate var isText: Bool {
        type == "text" || isIn(.json) || isIn(.xml) || isIn(.javaScript)
            || essence == MediaType.formURLEncoded.essence
    }
}

extension Error {
    /// The error for a log. An `HTTPError` is safe there; another error may contain anything.
    fileprivate var logged: String {
        switch self {
        case let error as HTTPError: "\(error)"
        case is CancellationError: "cancelled"
        default: "\(type(of: self))"
        }
    }
}

extension HTTPBodyEnd {
    fileprivate var logged: String {
        switch self {
        case .complete: "complete"
        case .abandoned: "abandoned"
        case .failed(let error): "failed (\(error.logged))"
        }
    }
}
