import HTTPCore

/// The target of a request and the route to it, both checked, and the loop that serves it.
///
/// Requests for the same URL share one, so that the loop recognises them without a comparison.
final class Destination: Sendable {
    let target: HTTPTarget
    let route: ConnectionRoute
    let loop: any ExchangeLoop
    /// The proxy that is asked to forward the request, and may itself respond to it.
    let forwardingProxy: HTTPOrigin?
    /// The request target that is sent (RFC 9112 §3.2).
    let requestTarget: String

    init(_ target: HTTPTarget, _ route: ConnectionRoute, on loop: any ExchangeLoop) {
        self.target = target
        self.route = route
        self.loop = loop
        forwardingProxy = route.forwardingProxy?.origin
        requestTarget = forwardingProxy == nil ? target.originForm : target.url
    }
}
