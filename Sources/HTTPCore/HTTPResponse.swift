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

    public var head: Head
    /// As sent, after middleware, without its call and with its body only when that is small and in
    /// memory.
    public var originalRequest: HTTPRequest
    public var body: HTTPBody
    /// The heads of the responses that were answered by sending again: redirects and retries, in order.
    public var history: [Head]
    /// What layers tell the caller.
    public var options: HTTPOptions
    private let call: HTTPCall?
    private let record: (any HTTPTimelineRecord)?

    /// - Parameter timeline: what the transport goes on writing this exchange's times to.
    public init(
        _ head: Head,
        body: HTTPBody = .empty,
        to request: HTTPRequest,
        timeline record: (any HTTPTimelineRecord)? = nil
    ) {
        self.head = head
        self.body = body
        self.originalRequest = request.endingCall()
        if (request.body.octets?.count ?? .max) > 64 << 10 { self.originalRequest.body = .empty }
        self.history = []
        self.options = HTTPOptions()
        self.call = request.call
        self.record = record
    }

    /// For mocks: an answer to `request` at its own URL.
    public init(
        _ status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty,
        to request: HTTPRequest
    ) {
        self.init(Head(status: status, headers: headers, url: request.url), body: body, to: request)
    }
}

extension HTTPResponse {
    public var status: HTTPStatus {
        get { head.status }
        set { head.status = newValue }
    }
    public var headers: HTTPHeaders {
        get { head.headers }
        set { head.headers = newValue }
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
        call?.timeline ?? HTTPTimeline(exchanges: record.map { [$0.exchange] } ?? [])
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
        let octets = try await body.collect(upTo: limit ?? defaultLimit)
        if body.octets != nil { return self }
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
            throw error.ending(url, response: head)
        }
    }

    /// What ``text(upTo:)`` goes by when the body has no byte order mark; `nil` if `Content-Type` names
    /// no charset, or an unknown one.
    public var textEncoding: HTTPCharset? {
        headers[.contentType].flatMap { MediaType($0) }?.charset.flatMap { HTTPCharset(label: $0) }
    }

    /// The body decoded from JSON.
    ///
    /// - Throws: `decodingFailed` with the decoder's error inside; else as ``data(upTo:)``.
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(),
        upTo limit: Int? = nil
    ) async throws -> Value {
        let octets = try await data(upTo: limit)
        do {
            return try decoder.decode(type, from: octets)
        } catch {
            let contentType = headers[.contentType].map { " of type \($0.logSafe)" } ?? ""
            throw HTTPError(
                .decodingFailed,
                "the \(octets.count) octets\(contentType) of this \(status.code) are no \(type)",
                mayHaveReachedServer: true, response: head, underlyingError: error
            ).ending(url, response: head)
        }
    }
}

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
