public import HTTPCore
public import PortableFoundation

/// A stored response without its body: what a store keeps beside the bytes.
///
/// It holds nothing of the request but a digest, so no field of a request reaches a store. The URL,
/// in the key, is stored as it is, with its query.
public struct HTTPStoredResponse: Hashable, Sendable {
    /// The identity of the stored bytes: 32 hexadecimal digits in lower case, different for each
    /// response that is or was stored. It stays the same when a revalidation replaces the header
    /// section.
    public var id: String
    /// The status that was received; a revalidation does not change it.
    public let status: HTTPStatus
    /// The header section as it is stored (RFC 9111 §3.1): without fields of the connection and
    /// without `Set-Cookie`.
    public var headers: HTTPHeaders { didSet { readFacts() } }
    /// The names of the request's fields that selected this response, from `Vary`, in lower case
    /// and sorted.
    public let selectingFields: [String]
    /// A digest of the values of these fields. A key has at most one response for each variant.
    public let variant: String
    /// The date when the request was sent, on the cache's clock.
    public var requestDate: Date
    /// The date when the response, or the last 304 for it, was received, on the cache's clock.
    public var responseDate: Date { didSet { readFacts() } }
    /// The length of the body in bytes.
    public var bodyLength: Int64
    /// The trailer section, if there was one.
    public var trailers: HTTPHeaders?
    /// The facts that the rules need, from the headers.
    private(set) var facts: CacheFacts

    /// Creates a stored response, for a store that reads it back. Each property is described there.
    public init(
        id: String, status: HTTPStatus, headers: HTTPHeaders, selectingFields: [String] = [],
        variant: String = "", requestDate: Date, responseDate: Date, bodyLength: Int64 = 0,
        trailers: HTTPHeaders? = nil
    ) {
        self.init(
            id: id, status: status, headers: headers, selectingFields: selectingFields,
            variant: variant, requestDate: requestDate, responseDate: responseDate,
            bodyLength: bodyLength, trailers: trailers, facts: nil)
    }

    /// - Parameter facts: The facts, if they are known already.
    init(
        id: String, status: HTTPStatus, headers: HTTPHeaders, selectingFields: [String],
        variant: String, requestDate: Date, responseDate: Date, bodyLength: Int64 = 0,
        trailers: HTTPHeaders? = nil, facts: CacheFacts?
    ) {
        self.id = id
        self.status = status
        self.headers = headers
        self.selectingFields = selectingFields
        self.variant = variant
        self.requestDate = requestDate
        self.responseDate = responseDate
        self.bodyLength = bodyLength
        self.trailers = trailers
        self.facts = facts ?? CacheFacts(status: status, headers: headers, received: responseDate)
    }

    private mutating func readFacts() {
        facts = CacheFacts(status: status, headers: headers, received: responseDate)
    }
}
