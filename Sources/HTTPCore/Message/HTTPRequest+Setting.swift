// Each method answers a changed copy; the original stays as it was.
extension HTTPRequest {
    public func method(_ method: HTTPMethod) -> HTTPRequest { with { $0.method = method } }

    /// Replaces every field of that name by one; `nil` removes them.
    ///
    /// A name or value that may not be sent is remembered, and sending then throws, see
    /// ``HTTPHeaders/refusedName``.
    public func header(_ name: HTTPHeaderName, _ value: String?) -> HTTPRequest {
        with {
            $0.headers[name] = value
            $0.implied = $0.implied?.without(name)
        }
    }

    /// Changes the header section in a closure: `request.headers { $0[.accept] = "text/html" }`.
    public func headers(_ change: (inout HTTPHeaders) throws -> Void) rethrows -> HTTPRequest {
        var copy = self
        try change(&copy.headers)
        return copy
    }

    public func delivery(_ delivery: HTTPDelivery) -> HTTPRequest {
        with { $0.delivery = delivery }
    }

    /// Limits each exchange, from submission to the last byte of the body; a deadline limits the call.
    public func timeout(_ duration: Duration) -> HTTPRequest {
        with { $0.timeouts.total = .after(duration) }
    }

    public func timeouts(_ timeouts: HTTPTimeouts) -> HTTPRequest {
        with { $0.timeouts = timeouts }
    }

    public func version(_ version: HTTPVersion?) -> HTTPRequest { with { $0.version = version } }

    public func option<Key: HTTPRequestOption>(_ key: Key.Type, _ value: Key.Value) -> HTTPRequest {
        with { $0.options[key] = value }
    }

    private func with(_ change: (inout HTTPRequest) -> Void) -> HTTPRequest {
        var copy = self
        change(&copy)
        return copy
    }
}
