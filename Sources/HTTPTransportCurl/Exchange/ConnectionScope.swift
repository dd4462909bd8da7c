/// The part of libcurl's cache of connections that a request uses.
///
/// libcurl keeps connections by host, port and address scope (RFC 4007), and gives a request any of
/// them. Connections that must not serve each other's requests therefore have other scopes: those
/// that were asked for other versions, and those of other series (see ``Lane/series``). A scope
/// means nothing to any address except a link-local one that lacks it.
struct ConnectionScope: Hashable {
    /// The scope as libcurl knows it; 0 if none is set.
    let number: Int

    init(_ protocols: ConnectionRoute.Protocols, series: Int) {
        number =
            switch protocols {
            case .best: 3 * series
            // Its connections carry one exchange at a time, and so are of one series.
            case .http1Alone: 1
            case .http3Alone: 3 * series + 2
            // Its pool has no other connections.
            case .http3Single: 0
            }
    }
}
