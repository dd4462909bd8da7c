/// The request that layers below prepare again for each attempt.
private enum Unprepared: HTTPRequestOption {
    static var defaultValue: HTTPRequest? { nil }
}

// Layers that must see a request as it will be sent, such as a cache, get a prepared copy. What
// they pass on is the original in it, because each attempt is prepared anew.
extension HTTPRequest {
    /// Returns the prepared request `self` with the request that it was made from.
    package func prepared(from original: HTTPRequest) -> HTTPRequest {
        var request = self
        request[Unprepared.self] = original
        return request
    }

    /// Returns the request that this one was prepared from, as part of this one's call, or `self`.
    package var unprepared: HTTPRequest {
        guard hasOptions, var request = self[Unprepared.self], let call else { return self }
        request.deadline = deadline
        return request.joining(call)
    }

    /// `true` if ``unprepared`` is another request.
    package var isPreparedCopy: Bool { hasOptions && self[Unprepared.self] != nil }

    /// Forgets the request that this one was prepared from.
    package mutating func forgetUnprepared() {
        if hasOptions { options.remove(Unprepared.self) }
    }

    /// Changes this request and the one that it was prepared from, so that the change is part of
    /// what is sent.
    package mutating func amend<Failure: Error>(
        _ change: (inout HTTPRequest) throws(Failure) -> Void
    ) throws(Failure) {
        if hasOptions, var original = self[Unprepared.self] {
            try change(&original)
            self[Unprepared.self] = original
        }
        try change(&self)
    }
}
