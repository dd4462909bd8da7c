package import HTTPCore

extension HTTPRequest {
    /// The fields, other than secrets, that refer to the origin that they were made for.
    private static let fieldsOfOrigin: Set<HTTPHeaderName> = [.host, .origin, .wwwAuthenticate]

    /// Removes what must not follow a redirect or a link from `origin` to another one: transport
    /// options that are bound to an origin, secrets, and fields that refer to the origin that they
    /// were made for. The URL is already the next one.
    ///
    /// Secrets and options that a layer adds later are removed by ``OriginGuard``. Which fields are
    /// secrets is in `HTTPHeaderName+Sensitivity`.
    package mutating func removeWhatBelongs(to origin: HTTPOrigin?) {
        withholdOptions(home: origin)
        guard (try? self.origin()) != origin else { return }
        for field in headers
        where field.isSensitive || Self.fieldsOfOrigin.contains(field.name) {
            headers.remove(field.name)
        }
    }
}
