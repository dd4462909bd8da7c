import HTTPCore

/// A limit on refreshes within a time. Without it, a server that refuses the credentials it has
/// just issued would be asked without end.
public struct RefreshWindow: Hashable, Sendable {
    package var limit: Int
    package var length: Duration

    /// Creates a window; the default is that of Alamofire.
    public init(limit: Int = 5, within length: Duration = .seconds(30)) {
        self.limit = limit
        self.length = length
    }

    /// Returns whether a refresh at `now` is too many after those at `starts`.
    func isExceeded(by starts: [HTTPInstant], at now: HTTPInstant) -> Bool {
        starts.count { now - $0 < length } >= limit
    }
}
