import HTTPCore

/// How many refreshes within how long are too many: a server that refuses what it has just issued would
/// otherwise be asked for ever.
public struct RefreshWindow: Hashable, Sendable {
    public var limit: Int
    public var length: Duration

    /// By default as many as Alamofire allows, 5 in 30 seconds.
    public init(limit: Int = 5, within length: Duration = .seconds(30)) {
        self.limit = limit
        self.length = length
    }

    /// Whether one more at `now` is too many after those at `starts`.
    func isExceeded(by starts: [HTTPInstant], at now: HTTPInstant) -> Bool {
        starts.count { now - $0 < length } >= limit
    }
}
