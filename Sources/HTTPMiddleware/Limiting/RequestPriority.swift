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

/// The place of a request in the queues of limits.
struct QueuePlace: HTTPRequestOption {
    static var defaultValue: QueuePlace { QueuePlace() }

    var priority = RequestPriority.normal
    var tenant: String?
}

extension HTTPRequest {
    /// The priority of this request in the queue of a ``/HTTPMiddleware/ConcurrencyLimit``.
    public var priority: RequestPriority {
        get { self[QueuePlace.self].priority }
        set { self[QueuePlace.self].priority = newValue }
    }

    /// Returns this request with a priority among those that wait for a permit.
    public func priority(_ priority: RequestPriority) -> HTTPRequest {
        with { $0.priority = priority }
    }
}
