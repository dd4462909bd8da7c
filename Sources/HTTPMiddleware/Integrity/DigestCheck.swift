import HTTPCore
import HTTPFormats
import PortableFoundation

/// The digests that a response names, and those of the bytes that have arrived.
///
/// A value, so that the rules of RFC 9530 are tested without a body. The rules say when the bytes
/// are those that a field speaks of.
struct DigestCheck: Sendable {
    private struct Claim: Sendable {
        let field: HTTPHeaderName
        let algorithm: HTTPDigest.Algorithm
        /// Bytes of another length than a digest's match no content.
        let bytes: Data
    }

    private let method: HTTPMethod
    private let head: HTTPResponse.Head
    private let claims: [Claim]
    /// The fields that are announced as trailers.
    private let awaited: [HTTPHeaderName]
    private var computations: [HTTPDigest.Computation]

    /// Creates a check, or `nil` if `response` names no digest of the bytes of its body.
    ///
    /// - Throws: `digestMismatch` if a field that is to be checked cannot be read.
    init?(_ response: HTTPResponse, to method: HTTPMethod) throws(HTTPError) {
        let fields = Self.fields(of: response, to: method)
        var claims: [Claim] = []
        for field in fields {
            guard let named = Self.claims(field, in: response.headers) else {
                throw Self.unreadable(field, response.head, method)
            }
            claims += named
        }
        let awaited = fields.isEmpty ? [] : Self.announced(in: response.headers, among: fields)
        guard !claims.isEmpty || !awaited.isEmpty else { return nil }
        let algorithms = HTTPDigest.Algorithm.allCases.filter { algorithm in
            !awaited.isEmpty || claims.contains { $0.algorithm == algorithm }
        }
        self.method = method
        (head, self.claims, self.awaited) = (response.head, claims, awaited)
        computations = algorithms.map { HTTPDigest.Computation($0) }
    }

    /// The fields whose digests are those of the body's bytes.
    ///
    /// A response without content may describe the content that another response would have
    /// (RFC 9530 Appendix A). The representation is the content unless that is a part (206) or a
    /// difference (226).
    private static func fields(
        of response: HTTPResponse, to method: HTTPMethod
    ) -> [HTTPHeaderName] {
        if method == .head || response.isDecodedUnasked { return [] }
        return switch response.status {
        case .noContent, .resetContent, .notModified: []
        case .partialContent, .imUsed: [.contentDigest]
        default: [.contentDigest, .reprDigest]
        }
    }

    /// Returns `nil` if the field cannot be read.
    private static func claims(_ field: HTTPHeaderName, in headers: HTTPHeaders) -> [Claim]? {
        headers.digestMembers(of: field)?.map {
            Claim(field: field, algorithm: $0.algorithm, bytes: $0.bytes)
        }
    }

    private static func unreadable(
        _ field: HTTPHeaderName, _ head: HTTPResponse.Head, _ method: HTTPMethod
    ) -> HTTPError {
        mismatch(
            "\(field) cannot be read, so the content cannot be checked: it is no list of digests "
                + "(RFC 9530 §2)", head, method)
    }

    private static func mismatch(
        _ message: String, _ head: HTTPResponse.Head, _ method: HTTPMethod
    ) -> HTTPError {
        HTTPError(
            .digestMismatch, message, phase: .receiving, isRetryable: true,
            mayHaveReachedServer: true, response: head
        ).ending(head.url, method: method)
    }

    private static func announced(
        in headers: HTTPHeaders, among fields: [HTTPHeaderName]
    ) -> [HTTPHeaderName] {
        guard let trailer = headers[combined: .trailer] else { return [] }
        let names = FieldScanner.tokens(trailer).map { HTTPHeaderName($0) }
        return fields.filter(names.contains)
    }

    mutating func update(_ piece: Data) {
        for index in computations.indices { computations[index].update(piece) }
    }

    /// Returns the error for a body that has ended, or `nil` if all digests are right.
    func failure(trailers: HTTPHeaders?) -> HTTPError? {
        var claims = claims
        for field in awaited {
            guard let trailers else { break }
            guard let late = Self.claims(field, in: trailers) else {
                return Self.unreadable(field, head, method)
            }
            claims += late
        }
        let digests = computations.map(\.digest)
        let wrong = claims.first { claim in
            guard let named = HTTPDigest(claim.algorithm, bytes: claim.bytes) else { return true }
            return !digests.contains(named)
        }
        guard let wrong else { return nil }
        return Self.mismatch(
            "the content does not have the \(wrong.algorithm.rawValue) digest of \(wrong.field): "
                + "it was changed on the way, or the server names a wrong one", head, method)
    }
}

extension HTTPBody {
    /// Returns this body, which fails at its end if its digests are wrong.
    func checked(_ check: DigestCheck) -> HTTPBody {
        let check = Locked(check)
        return wrapped(
            HTTPBodyHooks(
                piece: { piece in
                    check.withLock { $0.update(piece) }
                    return .bytes(piece)
                },
                finishing: { trailers in
                    let failure = check.withLock { $0.failure(trailers: trailers) }
                    if let failure { throw failure }
                }))
    }
}
