package import HTTPCore

extension HTTPRequest {
    /// The fields, other than secrets, that refer to the origin that they were made for.
    private static let fieldsOfOrigin: Set<HTTPHeaderName> = [.host, .origin, .wwwAuthenticate]

    /// Removes the fields that must not follow a redirect or a link to another origin: secrets, and
    /// fields that refer to the origin that they were made for.
    ///
    /// Secrets that a layer adds later are removed by ``OriginGuard``, with transport options that
    /// are bound to another origin. Which fields are secrets is in `HTTPHeaderName+Sensitivity`.
    package mutating func removeFieldsOfOrigin() {
        for field in headers
        where field.isSensitive || Self.fieldsOfOrigin.contains(field.name) {
            headers.remove(field.name)
        }
    }
}
