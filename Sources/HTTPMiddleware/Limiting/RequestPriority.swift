public import HTTPCore

/// The priority of a request among requests that wait for each other. It is not sent to the server.
public enum RequestPriority: Int, Comparable, Sendable {
    /// After all others.
    case low
    /// The default.
    case normal
    /// Before all others.
    case high

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension HTTPRequest {
    private enum Priority: HTTPRequestOption {
        static let defaultValue = RequestPriority.normal
    }

    /// The priority of this request in the queue of a ``/HTTPMiddleware/ConcurrencyLimit``.
    public var priority: RequestPriority {
        get { self[Priority.self] }
        set { self[Priority.self] = newValue }
    }

    /// Returns this request with a priority among those that wait for a permit.
    public func priority(_ priority: RequestPriority) -> HTTPRequest {
        option(Priority.self, priority)
    }
}
