public import HTTPCore

extension HTTPError.Code {
    /// The address policy forbids the address of the host; nothing was sent.
    public static var addressBlocked: Self { Self(rawValue: "addressBlocked") }
    /// The server does not speak the version that the request asks for. A server without HTTP/3
    /// does not say so: a request that asks for it fails with `cannotConnect` or `timedOut`.
    public static var versionNotSpoken: Self { Self(rawValue: "versionNotSpoken") }
}

extension HTTPError {
    /// The error of a request that comes after the end of its transport.
    static var transportClosed: HTTPError {
        HTTPError(
            .sessionClosed, "the session was closed: make a new one", phase: .preparing)
    }
}
