public import HTTPCore
import PortableFoundation

extension HTTPRequest {
    /// Creates a request for the expansion of `template`. Values may have any type. See
    /// `URITemplate.Value.init(describing:)`.
    ///
    /// A value stays in its place: one that makes a segment of the path empty, `.` or `..` is
    /// refused. Only a variable with the operator `+` may hold slashes.
    ///
    /// - Throws: `invalidRequest` if the result is not a URL (RFC 3986), for example if the
    ///   template is malformed, or if a value does not stay in its place.
    public init(
        _ method: HTTPMethod = .get, template: URITemplate, variables: [String: Any?]
    ) throws(HTTPError) {
        let values = variables.mapValues { URITemplate.Value(describing: $0) }
        self.init(method, try URL(strictly: template.expand(inPlace: values)))
    }
}
