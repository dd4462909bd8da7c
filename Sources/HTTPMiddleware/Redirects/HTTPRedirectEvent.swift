public import HTTPCore

/// The event that a redirect is followed.
public struct HTTPRedirectEvent: HTTPLayerEvent {
    /// The head of the response.
    public let response: HTTPResponse.Head
    /// The request that follows, without its call.
    public let request: HTTPRequest

    /// Creates an event, for layers that follow redirects themselves.
    public init(_ response: HTTPResponse.Head, to request: HTTPRequest) {
        self.response = response
        self.request = request.endingCall()
    }
}
