public import HTTPCore

extension HTTPError.Code {
    /// The folder cannot hold a cache. The message says what to do.
    public static var cacheFolderUnusable: Self { Self(rawValue: "cacheFolderUnusable") }
    /// A file of the cache could not be read or written. See `underlyingError`.
    public static var cacheStoreFailed: Self { Self(rawValue: "cacheStoreFailed") }
    /// The body of a stored response does not have the bytes that were stored. The response is no
    /// longer stored.
    public static var cacheBodyDamaged: Self { Self(rawValue: "cacheBodyDamaged") }
}

extension HTTPError {
    /// - Parameter action: A participle, such as `"read"`.
    static func cacheFile(_ path: String, _ action: String, _ code: Int32) -> HTTPError {
        let cause = SystemError(code)
        return HTTPError(
            .cacheStoreFailed, "the cache file \(path.logSafe) could not be \(action): \(cause)",
            underlyingError: cause)
    }

    static func cacheFolder(_ path: String, _ reason: String, _ code: Int32? = nil) -> HTTPError {
        HTTPError(
            .cacheFolderUnusable, "the folder \(path.logSafe) cannot hold a cache: \(reason)",
            underlyingError: code.map { SystemError($0) })
    }

    /// The error of a reader when a block of the body is not the one that was stored.
    static var cacheBodyDamaged: HTTPError {
        HTTPError(
            .cacheBodyDamaged, "the stored body is damaged: send the request again",
            phase: .receiving, isRetryable: true)
    }
}
