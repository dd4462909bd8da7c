public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a server says about an error, as `application/problem+json` (RFC 9457).
///
/// A member of the wrong type is passed over, as RFC 9457 §3.1 asks, and no reason to refuse the rest.
public struct ProblemDetails: Sendable, Hashable {
    /// A URI reference that names the kind of problem, relative to the response's URL;
    /// `about:blank` when the server names none: then the status says it all.
    public var type: String
    public var title: String?
    /// The server's own status, which a proxy between may have replaced in the response.
    public var status: Int?
    public var detail: String?
    /// A URI reference that names this occurrence.
    public var instance: String?
    /// The members that RFC 9457 does not define.
    public var extensions: HTTPJSON.Object

    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil,
        detail: String? = nil, instance: String? = nil, extensions: HTTPJSON.Object = [:]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }

    /// Reads a problem from its JSON, or `nil` if that is no object.
    public init?(_ json: HTTPJSON) {
        guard var members = json.object else { return nil }
        type = members["type"]?.string ?? "about:blank"
        title = members["title"]?.string
        status = members["status"]?.int.flatMap { (100...599).contains($0) ? $0 : nil }
        detail = members["detail"]?.string
        instance = members["instance"]?.string
        for name in ["type", "title", "status", "detail", "instance"] { members[name] = nil }
        extensions = members
    }
}

extension HTTPResponse {
    /// The problem that the response describes; `nil`, with the body left unread, when its type is
    /// not `application/problem+json`.
    ///
    /// - Parameter limit: in bytes; as of ``data(upTo:)``.
    /// - Throws: `decodingFailed` when the body is no JSON object; else as ``data(upTo:)``.
    @concurrent public func problemDetails(upTo limit: Int? = nil) async throws -> ProblemDetails? {
        guard headers.contentType?.essence == MediaType.problemJSON.essence else { return nil }
        let bytes = try await data(upTo: limit)
        var cause: (any Error)?
        do {
            if let problem = ProblemDetails(try HTTPJSON(parsing: bytes)) { return problem }
        } catch {
            cause = error
        }
        throw HTTPError(
            .decodingFailed, "the problem details of this \(status.code) are no JSON object",
            phase: .receiving, mayHaveReachedServer: true, underlyingError: cause
        ).ending(url, response: head, body: bytes)
    }
}
