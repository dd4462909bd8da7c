/// The request that another one was prepared from. A reference, because a request cannot contain
/// one.
@usableFromInline final class OriginalRequest: Sendable {
    let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }
}

// Layers that must see a request as it will be sent, such as a cache, get a prepared copy. What
// they pass on is the original in it, because each attempt is prepared anew.
extension HTTPRequest {
    /// Returns the prepared request `self` with the request that it was made from.
    package func prepared(from original: HTTPRequest) -> HTTPRequest {
        var request = self
        request.original = OriginalRequest(original)
        return request
    }

    /// Returns the request that this one was prepared from, as part of this one's call, or `self`.
    package var unprepared: HTTPRequest {
        guard var request = original?.request, let call else { return self }
        request.setDeadline(deadline, lasting: deadlineLimit)
        return request.joining(call)
    }

    /// `true` if ``unprepared`` is another request.
    package var isPreparedCopy: Bool { original != nil }

    /// `false` if ``prepared()`` has certainly nothing to do.
    package var mayChangeInPreparing: Bool { mayNeedPreparing }

    /// Forgets the request that this one was prepared from.
    package mutating func forgetUnprepared() {
        if original != nil { original = nil }
    }

    /// Changes this request and the one that it was prepared from, so that the change is part of
    /// what is sent.
    package mutating func amend<Failure: Error>(
        _ change: (inout HTTPRequest) throws(Failure) -> Void
    ) throws(Failure) {
        if var request = original?.request {
            try change(&request)
            original = OriginalRequest(request)
        }
        try change(&self)
    }
}
