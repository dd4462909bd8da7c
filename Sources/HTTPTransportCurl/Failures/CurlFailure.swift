import CHTTPTransportCurl

/// The ways in which an exchange over libcurl fails, except for those of a proxy.
enum CurlFailure {
    // Connecting.
    case badURL, nameNotResolved, notConnected, notConnectedInTime
    case handshakeFailed, tlsRefused, tlsUnusable, serverNotTrusted
    // Sending, and waiting for the response.
    case requestCut, requestBodyFailed, streamRefused, resendVetoed, closedUnanswered, responseLost
    // The response.
    case notHTTP, headTooLarge, framingBroken, bodyCut
    // At any stage.
    case http2Failed, http3Failed, tlsNotClosed, unexpected

    /// Creates the failure that a `CURLcode` means, given the facts of the exchange.
    init(_ code: Int32, _ facts: FailureFacts) {
        // The first row that matches counts.
        self =
            switch (facts.stage, code) {
            // An address that a SOCKS proxy was to be given.
            case (.connecting, _) where facts.proxyReply?.concernsName == true: .nameNotResolved
            case (_, _) where facts.isRefusedByTLS && Self.concernsConnection(code): .tlsRefused
            // Newer libraries report a key that stays locked as a bad argument.
            case (.connecting, CHTTP_E_BAD_FUNCTION_ARGUMENT) where facts.hasIdentity: .tlsUnusable
            case (.connecting, CHTTP_E_HTTP3): .notConnected
            // The whole handshake is one step of QUIC.
            case (.connecting, CHTTP_E_RECV_ERROR) where facts.isQUIC: .notConnected
            case (.connecting, CHTTP_E_SEND_ERROR) where facts.isQUIC: .notConnected
            // The server is about to stop.
            case (.connecting, CHTTP_E_WEIRD_SERVER_REPLY) where facts.isQUIC: .notConnected
            case (.connecting, CHTTP_E_UNSUPPORTED_PROTOCOL): .unexpected
            case (.connecting, CHTTP_E_OUT_OF_MEMORY): .unexpected

            // The head begins with a folded line.
            case (.head, CHTTP_E_BAD_FUNCTION_ARGUMENT): .notHTTP
            case (.head, CHTTP_E_WRITE_ERROR): .notHTTP
            // Part of a head came, and then too many of its frames, or more than it may have.
            case (.head, CHTTP_E_HTTP2) where facts.hasTooManyFrames || facts.hasLargeHead:
                .headTooLarge
            case (.head, CHTTP_E_RECV_ERROR) where facts.hasTooManyFrames: .headTooLarge
            // The library reports the head of one exchange as the failure of all others, and may do
            // so when that one is over.
            case (.waiting, CHTTP_E_HTTP2) where facts.hasTooManyFrames && !facts.isShared:
                .headTooLarge
            case (.waiting, CHTTP_E_RECV_ERROR) where facts.hasTooManyFrames && !facts.isShared:
                .headTooLarge

            case (.body, CHTTP_E_PARTIAL_FILE): .bodyCut
            // Broken chunks and broken connections have the same code. The errors of the system and
            // of TLS tell them apart. Only HTTP/1 has chunks.
            case (.body, CHTTP_E_RECV_ERROR) where facts.hasBrokenChunks: .framingBroken
            case (.body, CHTTP_E_RECV_ERROR): .bodyCut
            // A stream that is reset, that ends before its length or that goes beyond it; and a
            // connection that ends with all its streams.
            case (.body, CHTTP_E_HTTP2), (.body, CHTTP_E_HTTP2_STREAM): .bodyCut
            case (.body, CHTTP_E_GOT_NOTHING), (.body, CHTTP_E_SSL_SHUTDOWN_FAILED): .bodyCut
            // The end of a connection may be noticed first in sending: while the request's body is
            // written beside the response, or when QUIC's packets are acknowledged.
            case (.body, CHTTP_E_SEND_ERROR): .bodyCut
            case (.body, CHTTP_E_HTTP3): .bodyCut
            // 7.88 returns this for some invalid chunk sizes.
            case (.body, CHTTP_E_BAD_FUNCTION_ARGUMENT): .framingBroken
            case (.body, CHTTP_E_OUT_OF_MEMORY), (.body, CHTTP_E_TOO_LARGE): .unexpected

            // The rows that hold at every stage, or at every one that has no row above.
            //
            // A later connection that could not be made has other codes than these two. A callback
            // aborts to veto a resend.
            case (_, CHTTP_E_HTTP2) where facts.isRefused: .streamRefused
            case (_, CHTTP_E_ABORTED_BY_CALLBACK) where facts.isRefused: .streamRefused
            case (_, CHTTP_E_ABORTED_BY_CALLBACK) where facts.isVetoed: .resendVetoed
            case (_, CHTTP_E_SEND_FAIL_REWIND): .resendVetoed
            case (_, CHTTP_E_RECV_ERROR) where facts.systemError == 0 && facts.hasLargeHead:
                .headTooLarge
            case (_, CHTTP_E_RECV_ERROR): .responseLost
            case (_, CHTTP_E_PARTIAL_FILE): .responseLost
            // The library's own limit on a line, which older versions report as a lack of memory.
            case (_, CHTTP_E_OUT_OF_MEMORY), (_, CHTTP_E_TOO_LARGE): .headTooLarge
            case (_, CHTTP_E_UNSUPPORTED_PROTOCOL), (_, CHTTP_E_WEIRD_SERVER_REPLY): .notHTTP
            // A transfer coding: the library is not asked to decode content.
            case (_, CHTTP_E_BAD_CONTENT_ENCODING): .notHTTP
            case (_, CHTTP_E_GOT_NOTHING): .closedUnanswered
            case (_, CHTTP_E_SEND_ERROR): .requestCut
            case (_, CHTTP_E_UPLOAD_FAILED), (_, CHTTP_E_READ_ERROR): .requestBodyFailed
            case (_, CHTTP_E_HTTP2), (_, CHTTP_E_HTTP2_STREAM): .http2Failed
            case (_, CHTTP_E_HTTP3): .http3Failed
            case (_, CHTTP_E_SSL_SHUTDOWN_FAILED): .tlsNotClosed

            case (_, CHTTP_E_URL_MALFORMAT): .badURL
            case (_, CHTTP_E_COULDNT_RESOLVE_PROXY): .nameNotResolved
            case (_, CHTTP_E_COULDNT_RESOLVE_HOST): .nameNotResolved
            case (_, CHTTP_E_COULDNT_CONNECT), (_, CHTTP_E_INTERFACE_FAILED): .notConnected
            case (_, CHTTP_E_QUIC_CONNECT_ERROR), (_, CHTTP_E_PROXY): .notConnected
            case (_, CHTTP_E_OPERATION_TIMEDOUT): .notConnectedInTime
            case (_, CHTTP_E_SSL_CONNECT_ERROR): .handshakeFailed
            case (_, CHTTP_E_SSL_CERTPROBLEM), (_, CHTTP_E_SSL_CIPHER): .tlsUnusable
            case (_, CHTTP_E_SSL_ENGINE_INITFAILED), (_, CHTTP_E_SSL_CLIENTCERT): .tlsUnusable
            case (_, CHTTP_E_ECH_REQUIRED): .tlsUnusable
            case _ where CertificateFailure.codes.contains(code): .serverNotTrusted
            default: .unexpected
            }
    }
    /// Returns `true` if `code` may be that of a connection that the other side has ended.
    private static func concernsConnection(_ code: Int32) -> Bool {
        switch code {
        case CHTTP_E_SSL_CONNECT_ERROR, CHTTP_E_SSL_CLIENTCERT, CHTTP_E_SSL_CIPHER: true
        case CHTTP_E_SSL_CERTPROBLEM, CHTTP_E_PEER_FAILED_VERIFICATION: true
        case CHTTP_E_SEND_ERROR, CHTTP_E_RECV_ERROR, CHTTP_E_GOT_NOTHING, CHTTP_E_PARTIAL_FILE: true
        case CHTTP_E_HTTP2, CHTTP_E_HTTP2_STREAM, CHTTP_E_QUIC_CONNECT_ERROR: true
        default: false
        }
    }
}
