import CHTTPTransportCurl
import HTTPCore

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
    /// `true` if the server has said that it has not processed the last send of the request.
    var isRefused = false
    /// `true` if no server can have processed any send of the request.
    var reachedNoServer = false
    /// The version that the connection speaks, if it is known.
    var version: HTTPVersion?
    /// `true` if the heads so far are longer than one may be.
    var hasLargeHead = false
    /// `true` if the client has a certificate of its own to show.
    var hasIdentity = false
    /// The details of a certificate that was refused.
    var certificate: CertificateFailure?
    var proxy: ProxyServer?
    /// The status that the proxy returned for CONNECT, 0 for none.
    var connectStatus = 0
    /// The final head of a proxy that made no tunnel.
    var tunnelRefusal: HTTPResponse.Head?
    /// The reply of a SOCKS proxy that made no connection.
    var proxyReply: ProxyReply?
    /// The other side of the TLS connection that failed, or that is to be made next.
    var tlsPeer = TLSPeer.server
    /// The reason that the TLS library gives.
    var tlsReason: TLSReason?
    /// `true` if the connection has carried other requests before.
    var isReused = false
    /// `true` if the connection may have carried other requests. A frame of one that is over may
    /// fail it.
    var isShared = false
    /// `true` if HTTP/2 ended because of a head that is too large, as far as the library says.
    var hasTooManyFrames = false
    /// `true` if the body is known not to come in chunks.
    var lacksChunks = false
    /// `true` if the transfer uses QUIC alone.
    var isQUIC = false
    /// The operating system's error, 0 for none.
    var systemError: Int32 = 0
}

extension FailureFacts {
    /// The stages of an exchange that decide what a code means.
    enum Stage {
        /// Up to the moment at which the request is written.
        case connecting
        /// Up to the first byte of the response.
        case waiting
        /// Up to the end of the response's head.
        case head
        case body
    }

    var stage: Stage {
        !hasStarted ? .connecting : hasHead ? .body : hasReceived ? .head : .waiting
    }

    /// The phase of an error whose code does not tell it.
    var phase: HTTPError.Phase {
        hasHead ? .receiving : hasSent ? .waiting : hasStarted ? .sending : .connecting
    }
}

extension FailureFacts {
    /// `true` if a connection that speaks HTTP/1 is known to have been used.
    var isHTTP1: Bool { version == .http1_1 || version == .http1_0 }

    /// `true` if a failure to receive more of the body is that of its chunks.
    var hasBrokenChunks: Bool {
        systemError == 0 && isHTTP1 && !lacksChunks && tlsReason == nil
    }

    /// `true` if the proxy may make a connection next time.
    var isProxyRetryable: Bool {
        if let proxyReply { return !proxyReply.isFinal }
        // It has not yet decided after an interim response.
        return connectStatus < 200 && connectStatus != 101 || connectStatus >= 500
    }

    /// Returns how the proxy has failed if `code` came before the request was sent, or `nil` if the
    /// server may be at fault.
    func proxyFailure(_ code: Int32) -> String? {
        guard proxy != nil, stage == .connecting else { return nil }
        if let proxyReply { return proxyReply.concernsName ? nil : proxyReply.clause }
        if isRefusedByTLS { return nil }
        // The proxy's status says more than the code, which differs between libraries.
        if connectStatus == 407 { return "it asks for credentials, or for different ones (407)" }
        if connectStatus != 0, connectStatus / 100 != 2 {
            return "it responded to CONNECT with \(connectStatus)"
        }
        return switch code {
        case CHTTP_E_COULDNT_RESOLVE_PROXY: "its name could not be resolved"
        case CHTTP_E_COULDNT_CONNECT where systemError == 0: "the connection to it failed"
        case CHTTP_E_COULDNT_CONNECT: "the connection to it failed: \(SystemError(systemError))"
        case CHTTP_E_PROXY: "it did not connect to the server"
        case CHTTP_E_GOT_NOTHING, CHTTP_E_SEND_ERROR, CHTTP_E_RECV_ERROR:
            "it closed the connection before it had connected to the server"
        default: nil
        }
    }
}

extension FailureFacts {
    /// The name of the other side of TLS in a message.
    var tlsPeerName: String {
        switch tlsPeer {
        case .server: "the server"
        case .proxy: "the proxy \(proxy.map(\.description) ?? "")"
        }
    }

    /// The reason for a failure of TLS as a clause, if it is known.
    var tlsClause: String? { tlsReason?.clause(of: tlsPeerName, hasIdentity: hasIdentity) }

    /// `true` if the other side of TLS has refused the connection, or if the two cannot understand
    /// each other. In TLS 1.3, the server may say so after the request was written.
    var isRefusedByTLS: Bool {
        guard let tlsReason, !hasReceived else { return false }
        // After the handshake, only an alert is about the handshake.
        if hasStarted { guard case .alert = tlsReason else { return false } }
        return tlsReason.isFinal(hasIdentity: hasIdentity)
    }
}
