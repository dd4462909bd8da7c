import HTTPCore

/// The target of a request and the route to it, both checked.
///
/// Requests for the same URL share one, so that the loop recognises them without a comparison.
final class Destination: Sendable {
    let target: HTTPTarget
    let route: ConnectionRoute

    init(_ target: HTTPTarget, _ route: ConnectionRoute) {
        self.target = target
        self.route = route
    }
}
