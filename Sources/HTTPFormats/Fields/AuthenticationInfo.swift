import HTTPCore

/// What a server tells a client whose credentials it took (RFC 9110 §11.6.3), such as the next nonce
/// of `Digest` (RFC 7616 §3.5).
public struct AuthenticationInfo: Hashable, Sendable {
    /// In the order written, each name once.
    public let parameters: [AuthenticationChallenge.Parameter]

    /// `nil` for anything but parameters, and where one is there twice.
    public init?(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSeparators()
        guard let parameters = scanner.authenticationParameters(), scanner.isAtEnd,
            Set(parameters.map(\.name)).count == parameters.count
        else { return nil }
        self.parameters = parameters
    }

    public subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }?.value
    }
}
