// Two predicates say whether a request has reached a server. All layers decide by them, so that no
// two layers differ about the same error.

extension Error {
    /// `true` if nothing of the request has reached a server, so that it can be sent again without
    /// a risk that the server processes it twice.
    ///
    /// `false` for `CancellationError` and for errors of other types, which do not say.
    package var reachedNoServer: Bool { (self as? HTTPError)?.mayHaveReachedServer == false }

    /// The same error for a call that has had a response, as ``HTTPError/havingReachedServer(_:)``
    /// returns it. For errors of foreign code, such as a hook, which knows only its own requests.
    package var afterResponse: any Error { (self as? HTTPError)?.havingReachedServer() ?? self }
}

extension HTTPError {
    /// `true` if the request ended on its way: while a name was looked up, a connection was made,
    /// or TLS was negotiated.
    package var endedOnTheWay: Bool {
        switch (phase, timer?.name) {
        case (.resolving, _), (.connecting, _), (.securing, _): true
        case (nil, .connect), (nil, .tls): true
        default: false
        }
    }

    /// Returns what is assumed of an error that does not say whether anything has reached a server.
    static func mayHaveReachedServer(
        _ code: Code, _ phase: Phase?, _ timer: Timer?, _ response: HTTPResponse.Head?
    ) -> Bool {
        guard response == nil else { return true }
        switch (phase, timer?.name) {
        case (.sending, _), (.waiting, _), (.receiving, _): return true
        case (.some, _), (nil, .connect), (nil, .tls): return false
        case (nil, _):
            let codes: Set<Code> = [
                .connectionLost, .protocolViolation, .headersTooLarge, .bodyIncomplete, .timedOut,
            ]
            return codes.contains(code)
        }
    }
}
