import HTTPCore

/// The information that a server sends after it accepted credentials (RFC 9110 §11.6.3), such as
/// the next nonce of `Digest` (RFC 7616 §3.5).
package struct AuthenticationInfo: Hashable, Sendable {
    /// The parameters in the order written; each name occurs once.
    package let parameters: [AuthenticationChallenge.Parameter]

    /// Creates a value, or `nil` if `text` is not a list of parameters or repeats a name.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSeparators()
        guard let parameters = scanner.authenticationParameters(), scanner.isAtEnd,
            Set(parameters.map(\.name)).count == parameters.count
        else { return nil }
        self.parameters = parameters
    }

    package subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }?.value
    }
}
