import HTTPCore

/// The target of a request and the route to it, both checked, and the loop that serves it.
///
/// Requests for the same URL share one, so that the loop recognises them without a comparison.
final class Destination: Sendable {
    let target: HTTPTarget
    let route: ConnectionRoute
    let loop: EventLoop

    init(_ target: HTTPTarget, _ route: ConnectionRoute, on loop: EventLoop) {
        self.target = target
        self.route = route
        self.loop = loop
    }
}
