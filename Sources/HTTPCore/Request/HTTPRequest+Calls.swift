extension HTTPRequest {
    /// Returns this request with a call that begins now, or unchanged if it has one. The outermost
    /// session calls this first.
    ///
    /// The call takes the deadline of the current task. See ``HTTPDeadline``.
    ///
    /// - Throws: `invalidRequest` if the URL has no origin, because a call is bound to its first
    ///   origin.
    public func beginningCall(
        observer: (any HTTPObserver)? = nil, clock: any HTTPClock = .system
    ) throws(HTTPError) -> HTTPRequest {
        try beginningCall(observer: observer, for: [], clock: clock)
    }

    /// Returns this request with a call that begins now, with the clock and the observers of
    /// another call, or unchanged if it has one.
    package func beginningCall(like call: HTTPCall) throws(HTTPError) -> HTTPRequest {
        try beginningCall(
            observer: call.observer, for: call.observing, clock: call.clock, closing: call.closing)
    }

    /// - Parameter owners: The objects that the observer counts as added by. See
    ///   ``HTTPCall/add(_:for:)``.
    package func beginningCall(
        observer: (any HTTPObserver)?, for owners: [any AnyObject & Sendable],
        clock: any HTTPClock, closing: Closing? = nil
    ) throws(HTTPError) -> HTTPRequest {
        guard call == nil else { return self }
        var request = self
        // Most calls have no deadline.
        let end =
            deadline == nil && HTTPDeadline.scope == nil
            ? nil : HTTPDeadline.beginning(self, on: clock)
        if let end { request.setDeadline(end.instant, lasting: end.limit) }
        // Parsed once for all layers that need it.
        if parts[0].target == nil, let parsed = ParsedURL.of(url) {
            request.parts[0].target = parsed
        }
        var origin = try request.origin()
        if hasOptions, let leader = request[LeadingOrigin.self] {
            origin = leader
            request.options.remove(LeadingOrigin.self)
        }
        request.call = HTTPCall(
            for: self, origin: origin, deadline: end?.instant, limit: end?.limit,
            observer: observer, observing: owners, clock: clock, closing: closing)
        return request
    }

    /// The call that all attempts and hops share, for a middleware: a chain begins it before the
    /// outermost one runs.
    ///
    /// A request that `intercept` gets outside of a chain may have none. It is then a new call at
    /// each access, which nothing else sees: on the system's clock, without a deadline and an
    /// observer.
    @inlinable public var currentCall: HTTPCall { call ?? detachedCall }

    @usableFromInline var detachedCall: HTTPCall {
        HTTPCall(
            for: self, origin: homeOrigin ?? (try? origin()) ?? .opaque, deadline: nil,
            observer: nil, clock: .system)
    }

    /// The origin that secrets may be sent to: the call's, or before the call begins the one that
    /// ``led(by:)`` set.
    package var homeOrigin: HTTPOrigin? { call?.origin ?? self[LeadingOrigin.self] }

    /// Returns this request, to which a response from `origin` led, without a call.
    ///
    /// The call that begins later is bound to `origin`, so that no layer treats the request's own
    /// target as an origin that the caller trusts.
    package func led(by origin: HTTPOrigin) -> HTTPRequest {
        var request = endingCall()
        request[LeadingOrigin.self] = origin
        return request
    }

    /// Returns this request without a call, so that sending it begins a new one.
    public func endingCall() -> HTTPRequest { with { $0.call = nil } }

    /// Returns this request in a call of its own that must end within `limit`, for work that serves
    /// several calls. The new call has the same first origin, clock and observer.
    package func servingSeveral(for limit: Duration) -> HTTPRequest {
        var request = self
        let call = currentCall
        request.setDeadline(in: limit, on: call.clock)
        request.call = HTTPCall(
            for: self, origin: call.origin, deadline: request.deadline, limit: limit,
            observer: call.observer, observing: call.observing, clock: call.clock,
            closing: call.closing, refreshOwner: refreshOwner)
        return request
    }

    /// Returns this request with its response in memory, up to 16 MiB unless its delivery sets
    /// another limit.
    package var readWhole: HTTPRequest {
        guard case .streamed = delivery else { return self }
        var request = self
        request.delivery = .buffered(upTo: HTTPBody.defaultLimit)
        return request
    }

    /// ``readWhole``, with the whole body in errors, too.
    package var readWholeInErrors: HTTPRequest {
        var request = readWhole
        if case .buffered(let limit) = request.delivery { request.errorBodyLimit = limit }
        return request
    }

    /// Returns this request as part of `call`; its deadline is at most the deadline of `call`.
    package func joining(_ call: HTTPCall) -> HTTPRequest {
        var request = self
        request.call = call
        let own = deadline(on: call.clock)
        if let end = call.deadline, end <= own ?? end {
            request.setDeadline(end, lasting: call.limit)
        } else if own != deadline {
            request.setDeadline(own, lasting: deadlineLimit)
        }
        return request
    }

    /// The time left until the deadline, on the call's clock: zero once it has passed, `nil`
    /// without a deadline.
    public var timeLeft: Duration? {
        guard let deadline else { return nil }
        return max(.zero, deadline - (call?.clock.now ?? HTTPSystemClock().now))
    }

    /// Returns this request with a deadline `duration` from now.
    ///
    /// In a client with a clock of its own, such as a test's, the time counts from the beginning of
    /// the call.
    public func deadline(in duration: Duration) -> HTTPRequest {
        var request = self
        request.setDeadline(in: duration, on: call?.clock ?? .system)
        request.parts[0].isDeadlineEarly = call == nil
        return request
    }

    /// The object whose refresh this request is part of, or `nil`.
    package var refreshOwner: ObjectIdentifier? { call?.refreshOwner ?? RefreshScope.owner }
}

extension HTTPRequest {
    /// The value of an option that only a transport can honour.
    public subscript<Key: HTTPTransportOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options.set(key, newValue, for: call == nil ? nil : try? origin()) }
    }

    /// Removes the transport options that are bound to an origin other than this request's. See
    /// ``HTTPTransportOption/isBoundToOrigin(_:)``.
    ///
    /// - Parameter home: The origin that the request was meant for, if it is not part of a call.
    /// - Returns: The names of the removed options.
    @discardableResult
    package mutating func withholdOptions(home: HTTPOrigin? = nil) -> [String] {
        guard hasOptions, let home = homeOrigin ?? home, let origin = try? origin() else {
            return []
        }
        return options.withhold(from: origin, home: home)
    }
}

/// The origin that ``HTTPRequest/led(by:)`` set. The option is removed when the call begins.
private enum LeadingOrigin: HTTPRequestOption {
    static var defaultValue: HTTPOrigin? { nil }
}
