/// The origins that issued the credentials in a request, by the name of the field. The origin guard
/// lets such a field pass to its issuer.
package enum CredentialIssuers: HTTPRequestOption {
    package static let defaultValue: [HTTPHeaderName: HTTPOrigin] = [:]
}
