import CHTTPTransportCurl
import HTTPCore
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableLibc

@Suite struct HTTPErrorCURLcodeTests {
    /// The progress of the exchange.
    enum Progress: Sendable, CaseIterable {
        case connecting, started, sent, receiving, body

        static let onceStarted: [Progress] = [.started, .sent, .receiving, .body]
        static let beforeBody: [Progress] = [.connecting, .started, .sent, .receiving]

        var phase: HTTPError.Phase {
            switch self {
            case .connecting: .connecting
            case .started: .sending
            case .sent, .receiving: .waiting
            case .body: .receiving
            }
        }

        var facts: FailureFacts {
            FailureFacts(
                hasStarted: self != .connecting, hasSent: self != .connecting && self != .started,
                hasReceived: self == .receiving || self == .body, hasHead: self == .body)
        }
    }

    private static func error(
        _ code: Int32, _ progress: Progress, systemError: Int32 = 0, isVetoed: Bool = false
    ) throws -> HTTPError {
        var facts = progress.facts
        facts.systemError = systemError
        facts.isVetoed = isVetoed
        facts.version = .http1_1
        return try error(code, facts)
    }

    private static func error(_ code: Int32, _ facts: FailureFacts) throws -> HTTPError {
        let limits = TimeLimits(try HTTPRequest(.get, "http://host.test/"), session: HTTPTimeouts())
        return HTTPError(curl: code, facts, limits: limits)
    }

    // MARK: Its errors

    /// The errors that depend on nothing but the code and the progress. The phase `nil` stands for
    /// that of the progress. Any other combination is an internal failure.
    private static let meanings:
        [(
            codes: [Int32], at: [Progress], code: HTTPError.Code, phase: HTTPError.Phase?,
            isRetryable: Bool
        )] = [
            ([CHTTP_E_URL_MALFORMAT], Progress.allCases, .invalidRequest, .preparing, false),
            (
                [CHTTP_E_COULDNT_RESOLVE_PROXY, CHTTP_E_COULDNT_RESOLVE_HOST], Progress.allCases,
                .nameNotResolved, .resolving, true
            ),
            (
                [
                    CHTTP_E_COULDNT_CONNECT, CHTTP_E_INTERFACE_FAILED, CHTTP_E_QUIC_CONNECT_ERROR,
                    CHTTP_E_PROXY,
                ], Progress.allCases, .cannotConnect, .connecting, true
            ),
            ([CHTTP_E_HTTP3], [.connecting], .cannotConnect, .connecting, true),
            (
                [CHTTP_E_HTTP3], [.started, .sent, .receiving], .connectionLost, nil, true
            ),
            ([CHTTP_E_HTTP3], [.body], .bodyIncomplete, .receiving, true),
            (
                [CHTTP_E_HTTP2, CHTTP_E_HTTP2_STREAM, CHTTP_E_SSL_SHUTDOWN_FAILED],
                Progress.beforeBody, .connectionLost, nil, true
            ),
            (
                [
                    CHTTP_E_HTTP2, CHTTP_E_HTTP2_STREAM, CHTTP_E_SSL_SHUTDOWN_FAILED,
                    CHTTP_E_GOT_NOTHING,
                ], [.body], .bodyIncomplete, .receiving, true
            ),
            ([CHTTP_E_SSL_CONNECT_ERROR], Progress.allCases, .tlsFailed, .securing, true),
            (
                [
                    CHTTP_E_SSL_CERTPROBLEM, CHTTP_E_SSL_CIPHER, CHTTP_E_SSL_ENGINE_INITFAILED,
                    CHTTP_E_SSL_CLIENTCERT, CHTTP_E_ECH_REQUIRED,
                ], Progress.allCases, .tlsFailed, .securing, false
            ),
            (
                [
                    CHTTP_E_PEER_FAILED_VERIFICATION, CHTTP_E_SSL_CACERT_BADFILE,
                    CHTTP_E_SSL_CRL_BADFILE, CHTTP_E_SSL_ISSUER_ERROR,
                    CHTTP_E_SSL_PINNEDPUBKEYNOTMATCH, CHTTP_E_SSL_INVALIDCERTSTATUS,
                ], Progress.allCases, .serverNotTrusted, .securing, false
            ),
            ([CHTTP_E_OPERATION_TIMEDOUT], Progress.allCases, .timedOut, nil, true),
            ([CHTTP_E_SEND_ERROR], Progress.beforeBody, .connectionLost, .sending, true),
            ([CHTTP_E_SEND_ERROR], [.body], .bodyIncomplete, .receiving, true),
            (
                [CHTTP_E_UPLOAD_FAILED, CHTTP_E_READ_ERROR], Progress.allCases, .requestBodyFailed,
                .sending, false
            ),
            ([CHTTP_E_SEND_FAIL_REWIND], Progress.allCases, .connectionLost, .waiting, true),
            ([CHTTP_E_GOT_NOTHING], Progress.beforeBody, .connectionLost, .waiting, true),
            (
                [CHTTP_E_PARTIAL_FILE, CHTTP_E_RECV_ERROR], Progress.beforeBody, .connectionLost,
                .waiting, true
            ),
            ([CHTTP_E_PARTIAL_FILE], [.body], .bodyIncomplete, .receiving, true),
            ([CHTTP_E_WEIRD_SERVER_REPLY], Progress.allCases, .protocolViolation, .waiting, false),
            (
                [CHTTP_E_UNSUPPORTED_PROTOCOL], Progress.onceStarted, .protocolViolation, .waiting,
                false
            ),
            (
                [CHTTP_E_WRITE_ERROR, CHTTP_E_BAD_FUNCTION_ARGUMENT], [.receiving],
                .protocolViolation, .waiting, false
            ),
            (
                [CHTTP_E_BAD_FUNCTION_ARGUMENT, CHTTP_E_RECV_ERROR], [.body], .protocolViolation,
                .receiving, false
            ),
            (
                [CHTTP_E_OUT_OF_MEMORY], [.started, .sent, .receiving], .headersTooLarge, .waiting,
                false
            ),
            ([CHTTP_E_TOO_LARGE], Progress.beforeBody, .headersTooLarge, .waiting, false),
            (
                [CHTTP_E_BAD_CONTENT_ENCODING], Progress.beforeBody, .protocolViolation,
                .waiting, false
            ),
            ([CHTTP_E_BAD_CONTENT_ENCODING], [.body], .protocolViolation, .waiting, false),
        ]

    @Test(.rows("S0-27", "S3-3"), arguments: 0..<110 as Range<Int32>, Progress.allCases)
    func `each code has its meaning at each stage`(curl: Int32, progress: Progress) throws {
        let rows = Self.meanings.filter { $0.codes.contains(curl) && $0.at.contains(progress) }
        #expect(rows.count <= 1)
        let row = rows.first
        let error = try Self.error(curl, progress)
        #expect(error.code == row?.code ?? .internalFailure)
        #expect(error.phase == row?.phase ?? progress.phase)
        #expect(error.isRetryable == row?.isRetryable ?? false)
        #expect(error.mayHaveReachedServer == (progress != .connecting))
        #expect(
            error.underlyingError as? CurlError
                == (error.code == .timedOut ? nil : CurlError(code: curl)))
        #expect(!error.message.isEmpty)
        #expect(!CurlError(code: curl).description.isEmpty)
    }

    @Test(
        .rows("S0-27"),
        arguments: [
            (0, .receiving, .connectionLost), (ECONNRESET, .receiving, .connectionLost),
            (0, .body, .protocolViolation), (ECONNRESET, .body, .bodyIncomplete),
            (ECONNRESET, .sent, .connectionLost),
        ] as [(Int32, Progress, HTTPError.Code)])
    func `the system's error tells a broken connection from broken framing`(
        systemError: Int32, progress: Progress, code: HTTPError.Code
    ) throws {
        #expect(try Self.error(CHTTP_E_RECV_ERROR, progress, systemError: systemError).code == code)
    }

    /// The codes with which libcurl reports the end of a connection or a stream.
    @Test(
        arguments: [
            CHTTP_E_HTTP2, CHTTP_E_PARTIAL_FILE, CHTTP_E_GOT_NOTHING, CHTTP_E_SEND_ERROR,
            CHTTP_E_RECV_ERROR, CHTTP_E_SSL_SHUTDOWN_FAILED, CHTTP_E_HTTP2_STREAM, CHTTP_E_HTTP3,
        ], [HTTPVersion.http1_1, .http2, .http3])
    func `after the head, whatever ends the body is one code`(
        code: Int32, version: HTTPVersion
    ) throws {
        for systemError in [0, ECONNRESET] {
            for reason: TLSReason? in [nil, .unexpectedEnd, .alert(TLSAlert(80))] {
                var facts = Progress.body.facts
                facts.version = version
                facts.systemError = systemError
                facts.tlsReason = reason
                facts.lacksChunks = true
                let error = try Self.error(code, facts)
                #expect(error.code == .bodyIncomplete)
                #expect(error.isRetryable && error.mayHaveReachedServer)
            }
        }
    }

    @Test func `chunks are broken only where there are chunks, and TLS is not to blame`() throws {
        var facts = Progress.body.facts
        facts.version = .http1_1
        #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .protocolViolation)
        facts.tlsReason = .unexpectedEnd
        #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .bodyIncomplete)
        facts.tlsReason = nil
        facts.lacksChunks = true
        #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .bodyIncomplete)
    }

    // MARK: TLS

    /// A refusal after the handshake, as TLS 1.3 has it, is like one in the handshake.
    @Test(
        arguments: [
            CHTTP_E_SSL_CONNECT_ERROR, CHTTP_E_SSL_CLIENTCERT, CHTTP_E_RECV_ERROR,
            CHTTP_E_SEND_ERROR, CHTTP_E_HTTP2, CHTTP_E_HTTP2_STREAM, CHTTP_E_PARTIAL_FILE,
        ], [Progress.connecting, .started, .sent])
    func `an alert about the settings of the two sides is final`(
        code: Int32, progress: Progress
    ) throws {
        var facts = progress.facts
        facts.tlsReason = .alert(TLSAlert(116))
        let error = try Self.error(code, facts)
        #expect(error.code == .tlsFailed)
        #expect(error.phase == .securing)
        #expect(!error.isRetryable)
        #expect(!error.mayHaveReachedServer)
        #expect(error.message.contains("certificate_required"))
        // A connection that has served requests before may have served this one.
        facts.isReused = true
        #expect(try Self.error(code, facts).mayHaveReachedServer == (progress != .connecting))
        // What is not about settings stays what it was.
        facts.tlsReason = .alert(TLSAlert(80))
        let other = try Self.error(code, facts)
        facts.tlsReason = nil
        let unknown = try Self.error(code, facts)
        #expect(other.code == unknown.code && other.isRetryable == unknown.isRetryable)
    }

    @Test(arguments: [TLSReason.notTLS, .version, .parameters("a"), .other("a"), .unexpectedEnd])
    func `words of the TLS library count in the handshake alone`(reason: TLSReason) throws {
        var facts = Progress.connecting.facts
        facts.tlsReason = reason
        let error = try Self.error(CHTTP_E_SSL_CONNECT_ERROR, facts)
        #expect(error.code == .tlsFailed)
        #expect(error.isRetryable == !reason.isFinal(hasIdentity: false))
        facts = Progress.sent.facts
        facts.tlsReason = reason
        #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .connectionLost)
    }

    // MARK: Large heads

    @Test(arguments: [CHTTP_E_HTTP2, CHTTP_E_RECV_ERROR])
    func `frames that are too many are a head that is too large`(code: Int32) throws {
        for progress in [Progress.sent, .receiving] {
            var facts = progress.facts
            facts.version = .http2
            #expect(try Self.error(code, facts).code == .connectionLost)
            facts.hasTooManyFrames = true
            let error = try Self.error(code, facts)
            #expect(error.code == .headersTooLarge)
            #expect(!error.isRetryable)
            // The head may be another exchange's, unless part of this one's has come.
            facts.isShared = true
            let shared = try Self.error(code, facts)
            #expect(shared.code == (progress == .sent ? .connectionLost : .headersTooLarge))
        }
        var facts = Progress.body.facts
        facts.version = .http2
        facts.hasTooManyFrames = true
        #expect(try Self.error(code, facts).code == .bodyIncomplete)
    }

    // MARK: Streams

    @Test(arguments: [HTTPVersion.http2, .http3])
    func `a connection of several streams that ends in a body has cut it`(
        version: HTTPVersion
    ) throws {
        for systemError in [0, ECONNRESET] {
            var facts = Progress.body.facts
            facts.version = version
            facts.systemError = systemError
            #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .bodyIncomplete)
        }
    }

    /// Such a connection has no stage of TCP, whose failures have a code of their own.
    @Test(arguments: [CHTTP_E_RECV_ERROR, CHTTP_E_SEND_ERROR, CHTTP_E_WEIRD_SERVER_REPLY])
    func `a QUIC connection that ends before it is made was not made`(code: Int32) throws {
        for isQUIC in [true, false] {
            var facts = Progress.connecting.facts
            facts.isQUIC = isQUIC
            #expect((try Self.error(code, facts).code == .cannotConnect) == isQUIC)
            facts = Progress.sent.facts
            facts.isQUIC = isQUIC
            #expect(try Self.error(code, facts).code != .cannotConnect)
        }
    }

    @Test func `only a head that is large is too large`() throws {
        var facts = Progress.receiving.facts
        #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .connectionLost)
        facts.hasLargeHead = true
        #expect(try Self.error(CHTTP_E_RECV_ERROR, facts).code == .headersTooLarge)
    }

    @Test(arguments: 0..<110 as Range<Int32>, [(403, false), (407, false), (502, true)])
    func `what a proxy answered goes before the code`(
        code: Int32, answer: (status: Int, isRetryable: Bool)
    ) throws {
        var facts = Progress.connecting.facts
        facts.proxy = try ProxyServer("http://proxy.test:8080")
        facts.connectStatus = answer.status
        let error = try Self.error(code, facts)
        #expect(error.code == .proxyFailed)
        #expect(error.message.contains("\(answer.status)"))
        #expect(error.isRetryable == answer.isRetryable)
        #expect(!error.mayHaveReachedServer)
    }

    @Test(arguments: 0..<110 as Range<Int32>)
    func `a proxy that says nothing is at fault if the code is about it`(code: Int32) throws {
        let faults = [
            CHTTP_E_COULDNT_RESOLVE_PROXY, CHTTP_E_COULDNT_CONNECT, CHTTP_E_PROXY,
            CHTTP_E_GOT_NOTHING, CHTTP_E_SEND_ERROR, CHTTP_E_RECV_ERROR,
        ]
        var facts = Progress.connecting.facts
        facts.proxy = try ProxyServer("http://proxy.test:8080")
        let error = try Self.error(code, facts)
        #expect((error.code == .proxyFailed) == faults.contains(code))
        if error.code == .proxyFailed {
            #expect(error.phase == .connecting)
            #expect(error.isRetryable)
        }
    }

    @Test(arguments: [CHTTP_E_BAD_FUNCTION_ARGUMENT, CHTTP_E_SSL_CERTPROBLEM])
    func `an identity that cannot be used fails TLS`(code: Int32) throws {
        var facts = Progress.connecting.facts
        facts.hasIdentity = true
        #expect(try Self.error(code, facts).code == .tlsFailed)
    }

    @Test(
        .rows("S0-27"),
        arguments: [
            CHTTP_E_HTTP2, CHTTP_E_ABORTED_BY_CALLBACK, CHTTP_E_RECV_ERROR, CHTTP_E_HTTP2_STREAM,
        ])
    func `what the server refused unprocessed has not reached it, and may be sent again`(
        code: Int32
    ) throws {
        var facts = Progress.sent.facts
        facts.isVetoed = true
        facts.isRefused = true
        facts.reachedNoServer = true
        let error = try Self.error(code, facts)
        #expect(error.code == .connectionLost)
        #expect(error.isRetryable)
        #expect(!error.mayHaveReachedServer)
    }

    @Test(.rows("S0-27"))
    func `a refused connection says why`() throws {
        let error = try Self.error(CHTTP_E_COULDNT_CONNECT, .connecting, systemError: ECONNREFUSED)
        #expect(error.message.contains("\(SystemError(ECONNREFUSED))"))
        #expect(error.underlyingError as? SystemError == SystemError(ECONNREFUSED))
    }

    @Test(.rows("S0-27"))
    func `a refused re-send is a lost connection, and may have reached the server`() throws {
        let error = try Self.error(CHTTP_E_ABORTED_BY_CALLBACK, .sent, isVetoed: true)
        #expect(error.code == .connectionLost)
        #expect(error.isRetryable)
        #expect(error.mayHaveReachedServer)
        #expect(try Self.error(CHTTP_E_ABORTED_BY_CALLBACK, .sent).code == .internalFailure)
    }

    @Test(.rows("S0-27"))
    func `libcurl's time limit is that of connecting`() throws {
        let error = try Self.error(CHTTP_E_OPERATION_TIMEDOUT, .connecting)
        #expect(error.code == .timedOut)
        #expect(error.timer == HTTPError.Timer(.connect, .seconds(10)))
        #expect(error.phase == .connecting)
        #expect(!error.mayHaveReachedServer)
    }

    @Test(arguments: Progress.allCases, 0..<110 as Range<Int32>)
    func `behind a proxy, what fails after the request was begun is not the proxy's fault`(
        progress: Progress, code: Int32
    ) throws {
        var facts = progress.facts
        facts.proxy = try ProxyServer("http://proxy.test:3128")
        facts.connectStatus = 502
        let limits = TimeLimits(try HTTPRequest(.get, "http://host.test/"), session: HTTPTimeouts())
        let error = HTTPError(curl: code, facts, limits: limits)
        #expect((error.code == .proxyFailed) == (progress == .connecting))
        #expect(error.mayHaveReachedServer == (progress != .connecting))
    }
}
