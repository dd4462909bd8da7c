/// See ``HTTPRequest/errorBodyLimit``.
public enum ErrorBodyLimit: HTTPRequestOption {
    /// 64 KiB.
    public static var defaultValue: Int { 64 << 10 }
}

extension HTTPRequest {
    /// How many bytes of a body that is not accepted, or cannot be decoded, are kept in the error
    /// (``HTTPError/bodyPrefix``).
    public var errorBodyLimit: Int {
        get { self[ErrorBodyLimit.self] }
        set { self[ErrorBodyLimit.self] = newValue }
    }
}
