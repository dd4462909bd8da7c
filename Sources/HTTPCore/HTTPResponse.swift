#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An answer: its head, and a body that may still be on its way.
public struct HTTPResponse: Sendable {
    /// Status, header section and URL: what may be kept of a response without holding a connection.
    public struct Head: Sendable, Hashable {
        public var status: HTTPStatus
        public var headers: HTTPHeaders
        /// The URL that answered, after redirects.
        public var url: URL
        public var version: HTTPVersion?

        public init(
            status: HTTPStatus, headers: HTTPHeaders = [:], url: URL, version: HTTPVersion? = nil
        ) {
            self.status = status
            self.headers = headers
            self.url = url
            self.version = version
        }
    }

    /// Always one element, as of a request: what layers hand on is one count, not a dozen.
    private var contents: [Contents]

    private struct Contents {
        var head: Head
        var originalRequest: HTTPRequest
        var body: HTTPBody
        var history: [Head] = []
        var options = HTTPOptions()
        let call: HTTPCall?
        let record: (any HTTPTimelineRecord)?
    }

    /// - Parameter timeline: what the transport goes on writing this exchange's times to.
    public init(
        _ head: Head,
        body: HTTPBody = .empty,
        to request: HTTPRequest,
        timeline record: (any HTTPTimelineRecord)? = nil
    ) {
        var original = request.endingCall()
        if (request.body.octets?.count ?? .max) > 64 << 10 { original.body = .empty }
        self.contents = [
            Contents(
                head: head, originalRequest: original, body: body, call: request.call,
                record: record)
        ]
    }

    /// For mocks: an answer to `request` at its own URL.
    public init(
        _ status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty,
        to request: HTTPRequest
    ) {
        self.init(Head(status: status, headers: headers, url: request.url), body: body, to: request)
    }
}

// MARK: - Contents

extension HTTPResponse {
    public var head: Head {
        get { contents[0].head }
        _modify { yield &contents[0].head }
    }

    /// As sent, after middleware, without its call and with its body only when that is small and in
    /// memory.
    public var originalRequest: HTTPRequest {
        get { contents[0].originalRequest }
        set { contents[0].originalRequest = newValue }
    }

    public var body: HTTPBody {
        get { contents[0].body }
        set { contents[0].body = newValue }
    }

    /// The heads of the responses that were answered by sending again: redirects and retries, in order.
    public var history: [Head] {
        get { contents[0].history }
        _modify { yield &contents[0].history }
    }

    /// What layers tell the caller.
    public var options: HTTPOptions {
        get { contents[0].options }
        _modify { yield &contents[0].options }
    }
}

extension HTTPResponse {
    public var status: HTTPStatus {
        get { head.status }
        set { head.status = newValue }
    }
    public var headers: HTTPHeaders {
        get { head.headers }
        _modify { yield &head.headers }
    }
    /// The URL that answered, after redirects.
    public var url: URL { head.url }

    /// The trailer section (RFC 9110 §6.5); `nil` until the body has ended, or when there was none.
    public var trailers: HTTPHeaders? { body.trailers }

    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options[key] = newValue }
    }

    /// Every exchange of the call so far, this one last; final when the body has ended.
    public var timeline: HTTPTimeline {
        let contents = contents[0]
        return contents.call?.timeline
            ?? HTTPTimeline(exchanges: contents.record.map { [$0.exchange] } ?? [])
    }

    /// Gives the body up and returns once its connection is free again. Whoever sends a second
    /// request for a first one's answer does this before.
    public func discard() async { await body.discard() }

    /// The same response with its body in memory, readable any number of times.
    ///
    /// - Parameter limit: as of ``data(upTo:)``.
    /// - Throws: `bodyTooLarge`, or what broke the body.
    @concurrent public func buffered(
        upTo limit: Int? = nil
    ) async throws -> HTTPResponse {
        // What is in memory has come.
        let progress = body.octets == nil ? originalRequest[ReceivingProgress.self] : nil
        let reported = progress.map(body.reportingProgress) ?? body
        let octets = try await reported.collect(upTo: limit ?? defaultLimit)
        if body.isValue { return self }
        var response = self
        response.body = HTTPBody(octets, trailers: body.trailers)
        return response
    }
}

// MARK: - Reading as a whole

extension HTTPResponse {
    /// The body's octets.
    ///
    /// - Parameter limit: in octets; what the request's delivery says, else 16 MiB.
    /// - Throws: `bodyTooLarge` beyond the limit, or what broke the body.
    @concurrent public func data(upTo limit: Int? = nil) async throws -> Data {
        try await body.collect(upTo: limit ?? defaultLimit)
    }

    /// Where the caller names no limit: the one of a request that asked for its body in memory.
    private var defaultLimit: Int {
        if case .buffered(let limit) = originalRequest.delivery { return limit }
        return HTTPBody.defaultLimit
    }

    /// The body as text: in the UTF of its byte order mark, else in the charset of `Content-Type`, else
    /// in UTF-8 (see ``HTTPCharset/decode(_:contentTypeCharset:)``).
    ///
    /// - Throws: `decodingFailed` for a charset that is unknown or has no decoder here, and for octets
    ///   that are not UTF-8 where nobody named a charset; else as ``data(upTo:)``.
    @concurrent public func text(upTo limit: Int? = nil) async throws -> String {
        let octets = try await data(upTo: limit)
        let label = headers[.contentType].flatMap { MediaType($0) }?.charset
        do {
            return try HTTPCharset.decode(octets, contentTypeCharset: label)
        } catch {
            throw error.ending(url, response: head).keeping(bodyPrefix: prefix(of: octets))
        }
    }

    /// What ``text(upTo:)`` goes by when the body has no byte order mark; `nil` if `Content-Type` names
    /// no charset, or an unknown one.
    public var textEncoding: HTTPCharset? {
        headers[.contentType].flatMap { MediaType($0) }?.charset.flatMap { HTTPCharset(label: $0) }
    }

    /// The body decoded from JSON; an empty one is `nil` where the type is an `Optional`.
    ///
    /// - Throws: `emptyResponse` for an empty body, else `decodingFailed` with the decoder's error inside,
    ///   saying where it stopped; both with the head and, up to ``HTTPRequest/errorBodyLimit``, the
    ///   ``HTTPError/bodyPrefix``. Else as ``data(upTo:)``.
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(),
        upTo limit: Int? = nil
    ) async throws -> Value {
        try await decoded(upTo: limit) { octets in
            try emptyValue(type, octets) ?? decoder.decode(type, from: octets)
        }
    }

    /// The body decoded by any decoder there is: of property lists, of protocol buffers, of your own.
    /// An empty body is the decoder's to judge.
    ///
    /// - Throws: `decodingFailed` as ``json(_:decoder:upTo:)``, with what `decode` throws inside; else as
    ///   ``data(upTo:)``.
    @concurrent public func decoded<Value: Sendable>(
        upTo limit: Int? = nil, by decode: @Sendable (Data) throws -> Value
    ) async throws -> Value {
        let octets = try await data(upTo: limit)
        do {
            return try decode(octets)
        } catch let error as HTTPError where error.code == .emptyResponse {
            throw error
        } catch {
            let contentType = headers[.contentType].map { " of type \($0.logSafe)" } ?? ""
            throw HTTPError(
                .decodingFailed,
                "the \(octets.count) bytes\(contentType) of this \(status.code) are no \(Value.self)"
                    + error.decodingClause,
                mayHaveReachedServer: true, response: head, underlyingError: error
            ).ending(url).keeping(bodyPrefix: prefix(of: octets))
        }
    }

    /// What JSON that is not there stands for: `nil` in an `Optional`. Answers `nil` itself where `octets`
    /// are to be decoded.
    ///
    /// - Throws: `emptyResponse` where `type` is no `Optional`.
    package func emptyValue<Value>(
        _ type: Value.Type, _ octets: Data
    ) throws(HTTPError) -> Value? {
        guard octets.isEmpty else { return nil }
        if let type = type as? any Nullable.Type, let none = type.none as? Value {
            return .some(none)
        }
        throw HTTPError(
            .emptyResponse, "this \(status.code) has no content, where a \(type) was to be",
            mayHaveReachedServer: true, response: head, body: octets
        ).ending(url)
    }

    /// As much of a body that is an error's as the request wants kept: a copy, lest a small slice keeps a
    /// large body in memory.
    private func prefix(of octets: Data) -> Data {
        let limit = max(0, originalRequest.errorBodyLimit)
        return octets.count <= limit ? octets : Data(Array(octets.prefix(limit)))
    }
}

/// An `Optional`, whatever it wraps.
private protocol Nullable {
    static var none: Self { get }
}

extension Optional: Nullable {}

extension HTTPResponse.Head: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Status and URL, without user information, query and fragment.
    public var description: String { "\(status) from \(url.logSafe)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description, "headers": headers])
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { head.description }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
