/// The key of ``HTTPRequest/errorBodyLimit``.
package enum ErrorBodyLimit: HTTPRequestOption {
    /// The default limit, 64 KiB.
    package static var defaultValue: Int { 64 << 10 }
}

extension HTTPRequest {
    /// The number of bytes that an error keeps of a body that is not accepted or cannot be decoded.
    /// See ``HTTPError/bodyPrefix``.
    public var errorBodyLimit: Int {
        get { self[ErrorBodyLimit.self] }
        set { self[ErrorBodyLimit.self] = newValue }
    }

    /// The number of bytes that an error keeps of a body that broke off.
    package var brokenBodyLimit: Int { min(HTTPError.prefixLength, max(0, errorBodyLimit)) }
}
