import HTTPCore

extension HTTPError {
    /// Creates the error that a `CURLcode` means, given the facts of the exchange.
    init(curl code: Int32, _ facts: FailureFacts, limits: TimeLimits) {
        let curl = CurlError(code: code)
        let system = facts.systemError == 0 ? nil : SystemError(facts.systemError)
        let cause: any Error = facts.certificate ?? (system ?? curl as any Error)
        // An alert of TLS 1.3 that refuses the client may come after the request was written. No
        // server has read that request.
        let isUnread = facts.reachedNoServer || (facts.isRefusedByTLS && !facts.isReused)
        let mayHaveReachedServer = facts.hasStarted && !isUnread
        func error(
            _ code: Code, _ phase: Phase, _ message: String, isRetryable: Bool,
            response: HTTPResponse.Head? = nil
        ) -> HTTPError {
            HTTPError(
                code, message, phase: phase, isRetryable: isRetryable,
                mayHaveReachedServer: mayHaveReachedServer, response: response,
                underlyingError: cause)
        }
        func final(_ code: Code, _ phase: Phase, _ message: String) -> HTTPError {
            error(code, phase, message, isRetryable: false)
        }
        func retryable(_ code: Code, _ phase: Phase, _ message: String) -> HTTPError {
            error(code, phase, message, isRetryable: true)
        }
        if let proxy = facts.proxy, let reason = facts.proxyFailure(code) {
            self = error(
                .proxyFailed, .connecting, "the proxy \(proxy): \(reason)",
                isRetryable: facts.isProxyRetryable, response: facts.tunnelRefusal)
            return
        }
        let tls = "TLS could not be negotiated" + (facts.tlsClause.map { ": \($0)" } ?? "")
        var alert = ""
        if case .alert(let last)? = facts.tlsReason { alert = " (\(last))" }
        self =
            switch CurlFailure(code, facts) {
            case .badURL: final(.invalidRequest, .preparing, "libcurl does not accept the URL")
            case .nameNotResolved:
                retryable(.nameNotResolved, .resolving, "the host's name could not be resolved")
            case .notConnected:
                retryable(
                    .cannotConnect, .connecting,
                    "the connection to the server failed\(system.map { ": \($0)" } ?? "")")
            case .notConnectedInTime:
                limits.timedOut(
                    .connect, phase: facts.hasStarted ? facts.phase : .connecting,
                    mayHaveReachedServer: mayHaveReachedServer)
            case .handshakeFailed: retryable(.tlsFailed, .securing, tls)
            case .tlsRefused: final(.tlsFailed, .securing, tls)
            case .tlsUnusable where facts.hasIdentity && facts.tlsReason == nil:
                final(
                    .tlsFailed, .securing,
                    "TLS could not be negotiated: the client's certificate or key cannot be read, "
                        + "because of its form or its passphrase")
            case .tlsUnusable: final(.tlsFailed, .securing, tls)
            case .serverNotTrusted:
                final(
                    .serverNotTrusted, .securing,
                    facts.certificate?.message ?? "the server's certificate is not trusted")

            case .requestCut:
                retryable(
                    .connectionLost, .sending,
                    "the connection ended while the request was sent\(alert)")
            case .requestBodyFailed:
                final(.requestBodyFailed, .sending, "the request's body could not be sent")
            case .streamRefused:
                retryable(
                    .connectionLost, .waiting,
                    "the server refused the stream without processing it (RFC 9113 §8.7)")
            case .resendVetoed:
                retryable(
                    .connectionLost, .waiting,
                    "the connection ended before the response, and the server may have processed "
                        + "the request")
            case .closedUnanswered:
                retryable(
                    .connectionLost, .waiting,
                    "the server closed the connection without a response")
            case .responseLost:
                retryable(
                    .connectionLost, .waiting, "the connection ended before the response\(alert)")

            case .notHTTP: final(.protocolViolation, .waiting, "the response is not HTTP")
            case .headTooLarge:
                final(.headersTooLarge, .waiting, "the response's head is too large")
            case .framingBroken:
                final(
                    .protocolViolation, .receiving, "the body's framing is broken (RFC 9112 §7)")
            case .bodyCut:
                retryable(
                    .bodyIncomplete, .receiving,
                    "the connection or the stream ended before the body was complete\(alert)")

            case .http2Failed: retryable(.connectionLost, facts.phase, "HTTP/2 failed")
            case .http3Failed: retryable(.connectionLost, facts.phase, "HTTP/3 failed")
            case .tlsNotClosed:
                retryable(
                    .connectionLost, facts.phase,
                    "the connection was not closed as TLS requires")
            case .unexpected: final(.internalFailure, facts.phase, curl.description)
            }
    }
}
