public import HTTPCore
import PortableFoundation

/// A server's description of an error, sent as `application/problem+json` (RFC 9457).
///
/// A member of the wrong type is ignored and does not affect the others, as RFC 9457 §3.1 requires.
public struct ProblemDetails: Sendable, Hashable {
    /// A URI reference that identifies the kind of problem, relative to the response's URL.
    /// `about:blank` if the server names none; then the status describes the problem.
    public var type: String
    /// A short summary of the kind of problem, the same for all problems of that type.
    public var title: String?
    /// The status that the server sent; a proxy may have changed that of the response.
    public var status: Int?
    /// An explanation of this very problem, for people.
    public var detail: String?
    /// A URI reference that identifies this occurrence.
    public var instance: String?
    /// The members that RFC 9457 does not define.
    public var extensions: HTTPJSON.Object

    package init(
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

    /// Creates a problem from its JSON, or `nil` if that is not an object.
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
    /// Returns the problem that the response describes, or `nil` if its type is not
    /// `application/problem+json`. In that case the body is left unread.
    ///
    /// - Parameter limit: The maximum length of the body in bytes, as in ``data(upTo:)``.
    /// - Throws: `decodingFailed` if the body is not a JSON object; otherwise the errors of
    ///   ``data(upTo:)``.
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
            .decodingFailed, "the problem details of this \(status.code) are not a JSON object",
            phase: .receiving, mayHaveReachedServer: true, underlyingError: cause
        ).ending(self, head: head, body: bytes)
    }
}
