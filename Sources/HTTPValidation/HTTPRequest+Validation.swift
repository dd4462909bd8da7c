public import HTTPCore

/// See ``HTTPCore/HTTPRequest/isValidatedByHead``.
public enum ValidatedByHead: HTTPRequestOption {
    public static var defaultValue: Bool { false }
}

/// See ``HTTPCore/HTTPRequest/errorBodyLimit``.
public enum ErrorBodyLimit: HTTPRequestOption {
    /// 64 KiB.
    public static var defaultValue: Int { 64 << 10 }
}

extension HTTPRequest {
    /// Whether the caller reads the body as it arrives, and no validator may read it before.
    public var isValidatedByHead: Bool {
        get { self[ValidatedByHead.self] }
        set { self[ValidatedByHead.self] = newValue }
    }

    /// As ``isValidatedByHead``.
    public func validatedByHead() -> HTTPRequest { option(ValidatedByHead.self, true) }

    /// How many octets of a body that is not accepted are kept in the error
    /// (``HTTPCore/HTTPError/bodyPrefix``).
    public var errorBodyLimit: Int {
        get { self[ErrorBodyLimit.self] }
        set { self[ErrorBodyLimit.self] = newValue }
    }
}
