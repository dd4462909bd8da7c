public import HTTPCore

/// Who goes first where requests wait for each other; says nothing to a server.
public enum RequestPriority: Int, Comparable, Sendable {
    case low, normal, high

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension HTTPRequest {
    private enum Priority: HTTPRequestOption {
        static let defaultValue = RequestPriority.normal
    }

    /// For ``ConcurrencyLimit``.
    public var priority: RequestPriority {
        get { self[Priority.self] }
        set { self[Priority.self] = newValue }
    }

    public func priority(_ priority: RequestPriority) -> HTTPRequest {
        option(Priority.self, priority)
    }
}
