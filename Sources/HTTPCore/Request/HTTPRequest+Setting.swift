// Each method returns a changed copy; the original does not change.
extension HTTPRequest {
    /// Returns this request with another method.
    public func method(_ method: HTTPMethod) -> HTTPRequest { with { $0.method = method } }

    /// Returns this request with `value` as the only field of that name, or without the field if
    /// `value` is `nil`.
    ///
    /// A name or value that must not be sent is remembered, and sending then throws. See
    /// `refusedName`.
    public func header(_ name: HTTPHeaderName, _ value: String?) -> HTTPRequest {
        with {
            $0.headers[name] = value
            $0.implied = $0.implied?.without(name)
        }
    }

    /// Returns this request with its header section changed in a closure:
    /// `request.headers { $0[.accept] = "text/html" }`.
    public func headers(_ change: (inout HTTPHeaders) throws -> Void) rethrows -> HTTPRequest {
        var copy = self
        try change(&copy.headers)
        return copy
    }

    /// Returns this request with another delivery of its response.
    public func delivery(_ delivery: HTTPDelivery) -> HTTPRequest {
        with { $0.delivery = delivery }
    }

    /// Returns this request with a limit for each exchange, from submission to the last byte of the
    /// body; a deadline limits the whole call.
    public func timeout(_ duration: Duration) -> HTTPRequest {
        with { $0.timeouts.total = .after(duration) }
    }

    /// Returns this request with these limits; those at `.standard` are the session's own.
    public func timeouts(_ timeouts: HTTPTimeouts) -> HTTPRequest {
        with { $0.timeouts = timeouts }
    }

    /// Returns this request with an HTTP version that it must be sent with, or `nil` for any.
    public func version(_ version: HTTPVersion?) -> HTTPRequest { with { $0.version = version } }

    /// Returns this request with an option, such as one of a transport.
    public func option<Key: HTTPRequestOption>(_ key: Key.Type, _ value: Key.Value) -> HTTPRequest {
        with { $0.options[key] = value }
    }

    /// Returns this request after a change.
    package func with(_ change: (inout HTTPRequest) -> Void) -> HTTPRequest {
        var copy = self
        change(&copy)
        return copy
    }
}

extension HTTPRequest {
    /// This request without the fields that its body has added, if they have not been changed.
    package var withoutImpliedFields: HTTPRequest {
        guard let implied else { return self }
        var request = self
        for name in Set(implied.fields.map(\.name))
        where headers[values: name] == implied.fields[values: name] {
            request.headers.remove(name)
        }
        request.implied = nil
        return request
    }

    package func setting(
        _ body: HTTPBody, fields: HTTPHeaders,
        fittingContentType: ImpliedFields.ContentTypeFitting? = nil
    ) -> HTTPRequest {
        var request = withoutImpliedFields
        var implied = fields
        for name in Set(fields.map(\.name)) where request.headers.contains(name) {
            implied.remove(name)
        }
        request.headers.append(contentsOf: implied)
        request.body = body
        request.implied =
            implied.isEmpty && fittingContentType == nil
            ? nil : ImpliedFields(implied, fittingContentType: fittingContentType)
        return request
    }
}
