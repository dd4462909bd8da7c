public import HTTPCore

/// See ``HTTPCore/HTTPRequest/isValidatedByHead``.
public enum ValidatedByHead: HTTPRequestOption {
    public static var defaultValue: Bool { false }
}

extension HTTPRequest {
    /// Whether the caller reads the body as it arrives, and no validator may read it before.
    public var isValidatedByHead: Bool {
        get { self[ValidatedByHead.self] }
        set { self[ValidatedByHead.self] = newValue }
    }

    /// As ``isValidatedByHead``.
    public func validatedByHead() -> HTTPRequest { option(ValidatedByHead.self, true) }
}
