import HTTPCore

/// A server's request that clients use only TLS (RFC 6797 §6.1). It is valid only if it was
/// received over TLS.
package struct StrictTransportSecurity: Hashable, Sendable, CustomStringConvertible {
    /// The validity, counted from the response; zero ends it. Whole seconds, at most 2³¹.
    package var maxAge: Duration
    package var includesSubdomains: Bool
    /// `true` if the host may be added to the preload lists of browsers. No RFC defines this
    /// directive.
    package var isForPreloading: Bool

    package init(
        maxAge: Duration, includesSubdomains: Bool = false, isForPreloading: Bool = false
    ) {
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
        self.isForPreloading = isForPreloading
    }

    /// Creates a value, or `nil` for a field to be ignored: without `max-age`, with a repeated
    /// directive, or malformed. Unknown directives are skipped.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        var names: Set<String> = []
        var maxAge: Duration?
        scanner.skipBlanks()
        while !scanner.isAtEnd {
            if let name = scanner.token()?.asciiLowercased {
                scanner.skipBlanks()
                let isBare = !scanner.take("=")
                scanner.skipBlanks()
                guard let value = isBare ? "" : scanner.tokenOrQuotedString(),
                    names.insert(name).inserted
                else { return nil }
                switch name {
                case "max-age": maxAge = value.deltaSeconds
                case "includesubdomains", "preload": guard isBare else { return nil }
                default: break
                }
                scanner.skipBlanks()
            }
            guard scanner.take(";") || scanner.isAtEnd else { return nil }
            scanner.skipBlanks()
        }
        guard let maxAge else { return nil }
        self.init(
            maxAge: maxAge, includesSubdomains: names.contains("includesubdomains"),
            isForPreloading: names.contains("preload"))
    }

    package var description: String {
        "max-age=\(maxAge.deltaSeconds)"
            + (includesSubdomains ? "; includeSubDomains" : "")
            + (isForPreloading ? "; preload" : "")
    }
}
