import HTTPCore

/// A server's wish to be asked over TLS only (RFC 6797 §6.1). Means nothing unless it came over TLS.
public struct StrictTransportSecurity: Hashable, Sendable, CustomStringConvertible {
    /// From the response on; zero takes the wish back. Whole seconds, at most 2³¹.
    public var maxAge: Duration
    public var includesSubdomains: Bool
    /// Consent to be put on the lists that browsers come with; no RFC knows it.
    public var isForPreloading: Bool

    public init(maxAge: Duration, includesSubdomains: Bool = false, isForPreloading: Bool = false) {
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
        self.isForPreloading = isForPreloading
    }

    /// `nil` for a field to be ignored: without `max-age`, with a directive twice, or against the
    /// grammar. Directives nobody knows are passed over.
    public init?(_ text: String) {
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

    public var description: String {
        "max-age=\(maxAge.deltaSeconds)"
            + (includesSubdomains ? "; includeSubDomains" : "")
            + (isForPreloading ? "; preload" : "")
    }
}
