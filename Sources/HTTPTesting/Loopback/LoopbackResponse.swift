public import HTTPCodings
import HTTPCore
import PortableFoundation

/// A response with correct framing by default, which is rendered to a ``LoopbackScript``.
///
/// ```swift
/// var response = LoopbackResponse.ok("hello")
/// response.fields.append(("ETag", "\"1\""))
/// response.framing = .chunked
/// ```
public struct LoopbackResponse: Sendable {
    /// The content of a response, and how it is sent.
    public enum Content: Sendable {
        /// Bytes that are sent as fast as the client reads.
        case bytes([UInt8])
        /// Bytes of the ``LoopbackPattern``; at most `rate` bytes per second unless that is `nil`.
        case generated(count: Int, rate: Int? = nil)
        /// Pieces that are sent in separate writes, and in separate chunks if chunked.
        case pieces([[UInt8]], every: Duration)

        func coded(_ coding: HTTPContentCoding) throws(HTTPError) -> Content {
            switch self {
            case .bytes(let bytes):
                return .bytes(Array(try ContentEncoder.encode(Data(bytes), coding)))
            case .generated(let count, _):
                let bytes = LoopbackPattern.bytes(0..<count)
                return .bytes(Array(try ContentEncoder.encode(Data(bytes), coding)))
            case .pieces(let pieces, let interval):
                var encoder = try ContentEncoder(coding)
                var coded: [[UInt8]] = []
                for piece in pieces {
                    coded.append(Array(try encoder.encode(Data(piece), flushes: true)))
                }
                coded.append(Array(try encoder.finish()))
                return .pieces(coded, every: interval)
            }
        }

        /// The number of bytes of content.
        package var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .generated(let count, _): count
            case .pieces(let pieces, _): pieces.reduce(0) { $0 + $1.count }
            }
        }
    }

    /// The way in which the client finds the end of the content (RFC 9112 §6).
    public enum Framing: Sendable, Hashable {
        /// A `Content-Length` field.
        case contentLength
        /// Chunks (RFC 9112 §7.1).
        case chunked
        /// The end of the connection is the end of the content.
        case untilClose
    }

    /// The status code. Codes that are no statuses are sent as they are.
    public var status: Int
    /// The reason phrase; the registered one if `nil`, empty if there is none.
    public var reason: String?
    /// The fields, sent in this order and spelling, before the fields that frame the content.
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Connection` are added unless they are present.
    /// Wrong values are sent as they are; use them to send wrong framing.
    public var fields: [(name: String, value: String)]
    /// The content.
    public var content: Content
    /// The framing of the content.
    public var framing = Framing.contentLength
    /// The fields sent after the last chunk; for chunked framing only.
    public var trailers: [(name: String, value: String)] = []
    /// Interim responses (1xx, RFC 9110 §15.2) that are sent first. Only their status, reason and
    /// fields are used.
    public var interim: [LoopbackResponse] = []
    /// The delay before any part of the response is sent.
    public var delay = Duration.zero
    /// The fault of the response, if any. The part after it is not sent.
    package var fault: LoopbackFault?

    /// Creates a response; by default a 200 without content.
    public init(
        status: Int = 200, reason: String? = nil, fields: [(name: String, value: String)] = [],
        content: Content = .bytes([]), framing: Framing = .contentLength
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.content = content
        self.framing = framing
    }

    // MARK: Rendering

    /// Returns the script that sends this response to `request`.
    ///
    /// The script omits the content if the method or the status has none (RFC 9110 §6.4.1), and
    /// closes the connection if the client or the framing requires it.
    package func script(answering request: LoopbackRequest) -> LoopbackScript {
        let closes =
            framing == .untilClose || !request.keepsConnection || says("Connection", "close")
        let hasContent = status >= 200 && status != 204 && status != 304
        let sendsContent = hasContent && request.method != "HEAD"

        var head = statusAndFields
        if hasContent {
            switch framing {
            case .contentLength where !has("Content-Length"):
                head += "Content-Length: \(content.count)\r\n"
            case .chunked where !has("Transfer-Encoding"):
                head += "Transfer-Encoding: chunked\r\n"
            default: break
            }
        }
        if closes, status >= 200, !has("Connection") { head += "Connection: close\r\n" }
        head += "\r\n"

        var script = LoopbackScript(delay > .zero ? [.pause(delay)] : [])
        for response in interim { script.steps.append(.send(response.statusAndFields + "\r\n")) }
        switch fault?.point {
        case .beforeHead: break
        case .head(let count): script.steps.append(.send(Array(head.utf8.prefix(max(0, count)))))
        case .content(let count):
            script.steps.append(.send(head))
            if sendsContent { script = script + brokenContentScript(count) }
        case .end, nil:
            script.steps.append(.send(head))
            if sendsContent { script = script + contentScript }
        }
        if let fault {
            script = script + fault.script
        } else if closes {
            script.steps.append(.close)
        }
        return script.coalesced
    }

    private var statusAndFields: String {
        let reason = reason ?? HTTPStatus(code: status)?.reasonPhrase ?? ""
        return fields.reduce("HTTP/1.1 \(status) \(reason)\r\n") {
            $0 + "\($1.name): \($1.value)\r\n"
        }
    }

    /// Returns a script that sends the first bytes of the content, as if the rest were to follow.
    private func brokenContentScript(_ count: Int) -> LoopbackScript {
        let count = max(0, min(count, content.count))
        switch content {
        case .bytes(let bytes):
            guard framing == .chunked else { return [.send(Array(bytes.prefix(count)))] }
            return [.send(Self.chunk(bytes, upTo: count))]
        case .generated(_, let rate):
            return framing == .chunked
                ? [.generateChunks(count, rate: rate)] : [.generate(count, rate: rate)]
        case .pieces(let pieces, let interval):
            var left = count
            var sent: [[UInt8]] = []
            for piece in pieces where left > 0 {
                sent.append(
                    framing == .chunked
                        ? Self.chunk(piece, upTo: left) : Array(piece.prefix(left)))
                left -= piece.count
            }
            return [.drip(sent, every: interval)]
        }
    }

    private var contentScript: LoopbackScript {
        guard framing == .chunked else {
            return switch content {
            case .bytes(let bytes): [.send(bytes)]
            case .generated(let count, let rate): [.generate(count, rate: rate)]
            case .pieces(let pieces, let interval): [.drip(pieces, every: interval)]
            }
        }
        let chunks: LoopbackScript =
            switch content {
            case .bytes(let bytes): [.send(Self.chunk(bytes))]
            case .generated(let count, let rate): [.generateChunks(count, rate: rate)]
            case .pieces(let pieces, let interval):
                [.drip(pieces.map { Self.chunk($0) }, every: interval)]
            }
        let end = trailers.reduce("0\r\n") { $0 + "\($1.name): \($1.value)\r\n" } + "\r\n"
        return chunks + [.send(end)]
    }

    /// Returns `bytes` as one chunk (RFC 9112 §7.1), or nothing if they are empty, because an empty
    /// chunk is the last one.
    ///
    /// If there are more than `count` bytes, returns only the first `count`, without the chunk's
    /// end.
    private static func chunk(_ bytes: [UInt8], upTo count: Int = .max) -> [UInt8] {
        if bytes.isEmpty { return [] }
        let size = Array((String(bytes.count, radix: 16) + "\r\n").utf8)
        return count < bytes.count ? size + bytes.prefix(count) : size + bytes + [13, 10]
    }

    private func has(_ name: String) -> Bool {
        let name = name.lowercased()
        return fields.contains { $0.name.lowercased() == name }
    }

    private func says(_ name: String, _ value: String) -> Bool {
        let name = name.lowercased()
        return fields.contains { $0.name.lowercased() == name && $0.value.lowercased() == value }
    }
}

extension LoopbackResponse {
    /// Returns a 200 response with `text` in UTF-8.
    public static func ok(_ text: String = "") -> Self { status(200, text) }

    /// Returns a 200 response with `text`, unchecked, as `application/json`.
    public static func json(_ text: String) -> Self {
        Self(fields: [("Content-Type", "application/json")], content: .bytes(Array(text.utf8)))
    }

    /// Returns a response with any status, and `text` as its content.
    public static func status(_ status: Int, _ text: String = "") -> Self {
        Self(
            status: status,
            fields: text.isEmpty ? [] : [("Content-Type", "text/plain; charset=utf-8")],
            content: .bytes(Array(text.utf8)))
    }

    /// Returns a redirection to `location`, which may be relative.
    public static func redirect(to location: String, status: Int = 302) -> Self {
        Self(status: status, fields: [("Location", location)])
    }

    /// Returns a 200 response with `text` in gzip. See ``coded(_:)``.
    public static func gzip(_ text: String) -> Self { ok(text).coded(.gzip) }

    /// Returns the same response with its content in these codings, in the order in which they are
    /// applied, and with `Content-Encoding`. Pieces are encoded so that each can be decoded when it
    /// has come. The entity tag, if there is one, stays the same.
    ///
    /// If the `canEncode` of a coding is `false`, the response is a 500 that says so.
    public func coded(_ codings: HTTPContentCoding...) -> Self {
        do throws(HTTPError) {
            var response = self
            for coding in codings { response.content = try response.content.coded(coding) }
            response.fields.append(
                ("Content-Encoding", codings.map(\.rawValue).joined(separator: ", ")))
            return response
        } catch {
            return .status(500, error.message)
        }
    }

    /// Returns a 200 response with `count` bytes of the ``LoopbackPattern``.
    public static func bytes(count: Int, rate: Int? = nil) -> Self {
        Self(
            fields: [("Content-Type", "application/octet-stream")],
            content: .generated(count: count, rate: rate))
    }

    /// Returns a 200 response with `pieces`, each a chunk in a separate write, with a pause of
    /// `interval` between them.
    public static func drip(pieces: [String], every interval: Duration) -> Self {
        Self(
            fields: [("Content-Type", "text/plain; charset=utf-8")],
            content: .pieces(pieces.map { Array($0.utf8) }, every: interval), framing: .chunked)
    }

    /// Returns a 200 response with `text`, in ten pieces a second and at most `rate` bytes a
    /// second.
    public static func drip(_ text: String, rate: Int) -> Self {
        let bytes = Array(text.utf8)
        let size = max(1, rate / 10)
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        return Self(
            fields: [("Content-Type", "text/plain; charset=utf-8")],
            content: .pieces(pieces, every: .seconds(1) * size / max(1, rate)))
    }

    /// Returns the same response, broken at `point`.
    public func breaking(_ kind: LoopbackFault.Kind, at point: LoopbackFault.Point) -> Self {
        var response = self
        response.fault = LoopbackFault(kind, at: point)
        return response
    }

    /// Returns a 200 response with the content of `request` and its `Content-Type`, or a 413
    /// response if the content was not kept.
    public static func echo(_ request: LoopbackRequest) -> Self {
        guard let content = request.content else { return .status(413) }
        return Self(
            fields: [("Content-Type", request["Content-Type"] ?? "application/octet-stream")],
            content: .bytes(content))
    }
}
