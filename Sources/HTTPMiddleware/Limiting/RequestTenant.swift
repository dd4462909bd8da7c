public import HTTPCore

extension HTTPRequest {
    /// The name of the party that this request is for, such as a customer's id. It is not sent to
    /// the server. Requests of different tenants take turns where they wait for a
    /// ``/HTTPMiddleware/RateLimit``; requests without one have a turn together.
    public var tenant: String? {
        get { self[QueuePlace.self].tenant }
        set { self[QueuePlace.self].tenant = newValue }
    }

    /// Returns this request for a tenant. See ``tenant``.
    public func tenant(_ name: String?) -> HTTPRequest { with { $0.tenant = name } }
}
