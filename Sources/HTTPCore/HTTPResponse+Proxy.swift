extension HTTPResponse {
    private enum ForwardingProxy: HTTPRequestOption {
        static var defaultValue: HTTPOrigin? { nil }
    }

    /// The proxy that was given the request to forward it (RFC 9112 §3.2.2), and that may thus have answered
    /// itself, as with a 407. Set by transports; `nil` without a proxy and through a tunnel, where it sees
    /// nothing.
    public var forwardingProxy: HTTPOrigin? {
        get { self[ForwardingProxy.self] }
        set { self[ForwardingProxy.self] = newValue }
    }
}
