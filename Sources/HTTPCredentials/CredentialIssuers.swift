package import HTTPCore

/// The origins that issued the credentials in a request, by the name of the field. The origin guard
/// lets such a field pass to its issuer, if it still has the values that were issued.
package enum CredentialIssuers: HTTPRequestOption {
    package struct Issued: Hashable, Sendable {
        var origin: HTTPOrigin
        var values: [String]
    }

    package static let defaultValue: [HTTPHeaderName: Issued] = [:]
}

extension HTTPRequest {
    /// Marks the field of that name, as it is now, as issued by `origin`.
    package mutating func markIssued(_ name: HTTPHeaderName, by origin: HTTPOrigin) {
        self[CredentialIssuers.self][name] = CredentialIssuers.Issued(
            origin: origin, values: headers[values: name])
    }

    /// Returns `true` if the field of that name was issued by `origin`, and has not changed since.
    package func isIssued(_ name: HTTPHeaderName, by origin: HTTPOrigin) -> Bool {
        guard let issued = self[CredentialIssuers.self][name] else { return false }
        return issued.origin == origin && issued.values == headers[values: name]
    }
}
