import HTTPCore

/// libcurl's own code with its general text, which holds nothing of a request.
public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Int32

    public var description: String { "libcurl \(code): \(CurlEasyHandle.errorText(code))" }
}

/// The state of an exchange when libcurl gave up.
struct FailureFacts {
    /// `true` if the request was about to be written at least once.
    var hasStarted = false
    /// `true` if part of the request was written.
    var hasSent = false
    /// `true` if part of the response was received.
    var hasReceived = false
    /// `true` if a complete head was received.
    var hasHead = false
    /// `true` if a silent resend was refused.
    var isVetoed = false
    /// `true` if the server has said that it has not processed the request.
    var isRefused = false
    /// The version that the connection speaks, if it is known.
    var version: HTTPVersion?
    /// `true` if the heads so far are longer than one may be.
    var hasLargeHead = false
    /// The content coding that is being decoded.
    var coding: String?
    /// `true` if the client has a certificate of its own to show.
    var hasIdentity = false
    /// The details of a certificate that was refused.
    var certificate: CertificateFailure?
    var proxy: ProxyServer?
    /// The status that the proxy returned for CONNECT, 0 for none.
    var connectStatus = 0
    /// The operating system's error, 0 for none.
    var systemError: Int32 = 0
}

extension FailureFacts {
    /// Returns how the proxy has failed if `code` came before the request was sent, or `nil` if the
    /// server may be at fault.
    func proxyFailure(_ code: Int32) -> String? {
        // The proxy's status says more than the code, which differs between libraries.
        if connectStatus >= 300 {
            return connectStatus == 407
                ? "it asks for credentials, or for different ones (407)"
                : "it responded to CONNECT with \(connectStatus)"
        }
        switch code {
        case 5: return "its name could not be resolved"
        case 7:
            return systemError == 0
                ? "the connection to it failed"
                : "the connection to it failed: \(SystemError(systemError))"
        case 97: return "it did not connect to the server"
        case 52, 55, 56: return "it closed the connection before it had connected to the server"
        default: return nil
        }
    }
}

extension HTTPError {
    /// Creates the error that a `CURLcode` means, given how far the exchange had come.
    init(curl code: Int32, _ facts: FailureFacts, limits: TimeLimits) {
        let mayHaveReachedServer = facts.hasStarted && !facts.isRefused
        let cause: any Error =
            facts.certificate
            ?? (facts.systemError == 0
                ? CurlError(code: code) as any Error : SystemError(facts.systemError))
        func make(
            _ code: Code, _ message: String, _ phase: Phase, isRetryable: Bool
        ) -> HTTPError {
            HTTPError(
                code, message, phase: phase, isRetryable: isRetryable,
                mayHaveReachedServer: mayHaveReachedServer, underlyingError: cause)
        }
        let phase: Phase =
            facts.hasHead
            ? .receiving : facts.hasSent ? .waiting : facts.hasStarted ? .sending : .connecting
        if let proxy = facts.proxy, !facts.hasStarted, let reason = facts.proxyFailure(code) {
            self = make(
                .proxyFailed, "the proxy \(proxy): \(reason)", .connecting,
                isRetryable: facts.connectStatus == 0 || facts.connectStatus >= 500)
            return
        }
        // This excludes the codes of a later connection that could not be made. 42 is the
        // transport's own veto.
        if facts.isRefused, code == 16 || code == 42 {
            self = make(
                .connectionLost,
                "the server refused the stream without processing it (RFC 9113 §8.7)", .waiting,
                isRetryable: true)
            return
        }
        switch code {
        case 1 where facts.hasStarted, 23 where facts.hasReceived && !facts.hasHead, 8:
            self = make(
                .protocolViolation, "the response is not HTTP", .waiting, isRetryable: true)
        case 3:
            self = make(
                .invalidRequest, "libcurl does not accept the URL", .preparing, isRetryable: false)
        case 5, 6:
            self = make(
                .nameNotResolved, "the host's name could not be resolved", .resolving,
                isRetryable: true)
        case 95 where !facts.hasStarted, 7, 45, 96, 97:
            let reason =
                facts.systemError == 0
                ? "" : ": \(SystemError(facts.systemError))"
            self = make(
                .cannotConnect, "the connection to the server failed\(reason)", .connecting,
                isRetryable: true)
        case 16, 92:
            self = make(.connectionLost, "HTTP/2 failed", phase, isRetryable: true)
        case 95:
            self = make(.connectionLost, "HTTP/3 failed", phase, isRetryable: true)
        case 18 where !facts.hasHead:
            self = make(
                .connectionLost, "the connection ended before the response", .waiting,
                isRetryable: true)
        case 18:
            self = make(
                .bodyIncomplete, "the connection ended before the body was complete", .receiving,
                isRetryable: true)
        case 25, 26:
            self = make(
                .requestBodyFailed, "the request's body could not be sent", .sending,
                isRetryable: false)
        // The library's own limit on a line, which older versions report as a lack of memory.
        case 27 where facts.hasStarted && !facts.hasHead, 100 where !facts.hasHead:
            self = make(
                .headersTooLarge, "the response's head is too large", .waiting, isRetryable: false)
        case 28:
            self = limits.timedOut(
                .connect, phase: facts.hasStarted ? phase : .connecting,
                mayHaveReachedServer: mayHaveReachedServer)
        // Newer libraries report a key that stays locked as a bad argument.
        case 43 where facts.hasIdentity && !facts.hasStarted, 35, 58, 59, 66, 98, 101:
            self = make(
                .tlsFailed, "TLS could not be negotiated", .securing, isRetryable: code == 35)
        case 60, 77, 82, 83, 90, 91:
            self = make(
                .serverNotTrusted,
                facts.certificate?.message ?? "the server's certificate is not trusted", .securing,
                isRetryable: false)
        case 42 where facts.isVetoed, 65:
            self = make(
                .connectionLost,
                "a kept connection ended before the response, and this request may not be sent "
                    + "twice",
                .waiting, isRetryable: false)
        case 52:
            self = make(
                .connectionLost, "the server closed the connection without a response", .waiting,
                isRetryable: true)
        case 80:
            self = make(
                .connectionLost, "the connection was not closed as TLS requires", phase,
                isRetryable: true)
        case 55:
            self = make(
                .connectionLost, "the connection ended while the request was sent", .sending,
                isRetryable: true)
        // The head begins with a folded line.
        case 43 where facts.hasReceived && !facts.hasHead:
            self = make(
                .protocolViolation, "the response is not HTTP", .waiting, isRetryable: true)
        // 7.88 returns 43 for some invalid chunk sizes.
        case 43 where facts.hasHead:
            self = make(
                .protocolViolation, "the body's framing is broken (RFC 9112 §7)", .receiving,
                isRetryable: true)
        case 56 where facts.hasHead && facts.version != .http1_1 && facts.version != .http1_0:
            self = make(
                .bodyIncomplete, "the connection ended before the body was complete", .receiving,
                isRetryable: true)
        case 56 where facts.hasHead:
            // Broken chunks and broken connections have the same code. The system's error tells
            // them apart.
            self =
                facts.systemError == 0
                ? make(
                    .protocolViolation, "the body's framing is broken (RFC 9112 §7)", .receiving,
                    isRetryable: true)
                : make(
                    .bodyIncomplete, "the connection ended before the body was complete",
                    .receiving, isRetryable: true)
        case 56 where facts.hasLargeHead && facts.systemError == 0:
            self = make(
                .headersTooLarge, "the response's head is too large", .waiting, isRetryable: false)
        case 56:
            self = make(
                .connectionLost, "the connection ended before the response", .waiting,
                isRetryable: true)
        // The library reports members after the first one, or anything else after the end of the
        // data, as an error of writing. It reports data that becomes too long as a lack of memory
        // or of room.
        case 23 where facts.coding != nil, 27 where facts.coding != nil,
            100 where facts.coding != nil:
            self = make(
                .contentDecodingFailed,
                "the content is not a single piece of \((facts.coding ?? "").logSafe) data, or "
                    + "it is too much for the decoder (RFC 9110 §8.4)", .receiving,
                isRetryable: false)
        case 61:
            let name =
                facts.coding.map { "the content coding \($0.logSafe)" } ?? "the content coding"
            self = make(
                .contentDecodingFailed, "\(name) is unknown, or its data is broken (RFC 9110 §8.4)",
                facts.hasHead ? .receiving : .waiting, isRetryable: false)
        default:
            self = make(
                .internalFailure, CurlError(code: code).description, phase, isRetryable: false)
        }
    }
}
