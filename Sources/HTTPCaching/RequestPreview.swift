package import HTTPCore

// Layers that must see a request as it will be sent, such as a cache, get a preview: a prepared
// copy. What they pass on is the original in it, because each attempt is prepared anew.
extension HTTPRequest {
    private enum Previewed: HTTPRequestOption {
        static var defaultValue: HTTPRequest? { nil }
    }

    /// Returns this prepared request as the preview of the request that it was made from.
    package func previewing(_ original: HTTPRequest) -> HTTPRequest {
        var request = self
        request[Previewed.self] = original
        return request
    }

    /// `true` if this request is a preview.
    package var isPreview: Bool { hasOptions && self[Previewed.self] != nil }

    /// The request that this one is the preview of, as part of this one's call, or `self`.
    package var previewed: HTTPRequest {
        guard hasOptions, var request = self[Previewed.self], let call else { return self }
        request.setDeadline(deadline, lasting: deadlineLimit)
        return request.joining(call)
    }

    /// Forgets the request that this one is the preview of.
    package mutating func endPreview() {
        if isPreview { options.remove(Previewed.self) }
    }

    /// Changes this request and the one that it is the preview of, so that the change is part of
    /// what is sent.
    mutating func amend(_ change: (inout HTTPRequest) -> Void) {
        if hasOptions, var request = self[Previewed.self] {
            change(&request)
            self[Previewed.self] = request
        }
        change(&self)
    }
}

/// A session that sends the request of which it gets a preview.
package struct PreviewedSession: HTTPSession {
    private let next: any HTTPSession

    package init(_ next: any HTTPSession) { self.next = next }

    package func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await next.response(for: request.previewed)
    }
}
