import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportCurl

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct CurlErrorTests {
    /// The progress of the exchange.
    enum Progress: Sendable, CaseIterable {
        case connecting, started, sent, receiving, body

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

    @Test(
        .rows("S0-27", "S3-3"),
        arguments: [
            (1, .sent, .protocolViolation, .waiting, true),
            (3, .connecting, .invalidRequest, .preparing, false),
            (6, .connecting, .nameNotResolved, .resolving, true),
            (7, .connecting, .cannotConnect, .connecting, true),
            (8, .receiving, .protocolViolation, .waiting, true),
            (16, .started, .connectionLost, .sending, true),
            (16, .body, .connectionLost, .receiving, true),
            (18, .sent, .connectionLost, .waiting, true),
            (23, .receiving, .protocolViolation, .waiting, true),
            (18, .body, .bodyIncomplete, .receiving, true),
            (23, .body, .internalFailure, .receiving, false),
            (25, .sent, .requestBodyFailed, .sending, false),
            (26, .sent, .requestBodyFailed, .sending, false),
            (27, .receiving, .headersTooLarge, .waiting, false),
            (27, .sent, .headersTooLarge, .waiting, false),
            (27, .body, .internalFailure, .receiving, false),
            (27, .connecting, .internalFailure, .connecting, false),
            (35, .connecting, .tlsFailed, .securing, true),
            (52, .sent, .connectionLost, .waiting, true),
            (55, .sent, .connectionLost, .sending, true),
            (56, .sent, .connectionLost, .waiting, true),
            (58, .connecting, .tlsFailed, .securing, false),
            (59, .connecting, .tlsFailed, .securing, false),
            (60, .connecting, .serverNotTrusted, .securing, false),
            (61, .body, .contentDecodingFailed, .receiving, false),
            (65, .sent, .connectionLost, .waiting, false),
            (77, .connecting, .serverNotTrusted, .securing, false),
            (80, .sent, .connectionLost, .waiting, true),
            (90, .connecting, .serverNotTrusted, .securing, false),
            (91, .connecting, .serverNotTrusted, .securing, false),
            (92, .body, .connectionLost, .receiving, true),
            (95, .connecting, .cannotConnect, .connecting, true),
            (95, .sent, .connectionLost, .waiting, true),
            (95, .body, .connectionLost, .receiving, true),
            (96, .connecting, .cannotConnect, .connecting, true),
            (100, .receiving, .headersTooLarge, .waiting, false),
            (100, .sent, .headersTooLarge, .waiting, false),
            (2, .connecting, .internalFailure, .connecting, false),
            (43, .connecting, .internalFailure, .connecting, false),
            (4711, .sent, .internalFailure, .waiting, false),
        ] as [(Int32, Progress, HTTPError.Code, HTTPError.Phase, Bool)])
    func `each code has its meaning`(
        curl: Int32, progress: Progress, code: HTTPError.Code, phase: HTTPError.Phase,
        isRetryable: Bool
    ) throws {
        let error = try Self.error(curl, progress)
        #expect(error.code == code)
        #expect(error.phase == phase)
        #expect(error.isRetryable == isRetryable)
        #expect(error.mayHaveReachedServer == (progress != .connecting))
        #expect(
            error.underlyingError as? CurlError == (code == .timedOut ? nil : CurlError(code: curl))
        )
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
        #expect(try Self.error(56, progress, systemError: systemError).code == code)
    }

    @Test(arguments: [HTTPVersion.http2, .http3])
    func `a connection of several streams that ends in a body has cut it`(
        version: HTTPVersion
    ) throws {
        for systemError in [0, ECONNRESET] {
            var facts = Progress.body.facts
            facts.version = version
            facts.systemError = systemError
            #expect(try Self.error(56, facts).code == .bodyIncomplete)
        }
    }

    @Test func `only a head that is large is too large`() throws {
        var facts = Progress.receiving.facts
        #expect(try Self.error(56, facts).code == .connectionLost)
        facts.hasLargeHead = true
        #expect(try Self.error(56, facts).code == .headersTooLarge)
    }

    @Test(arguments: [23, 27, 61, 100] as [Int32])
    func `what fails in decoding names the coding`(code: Int32) throws {
        var facts = Progress.body.facts
        facts.coding = "x-gzip\u{1B}"
        let error = try Self.error(code, facts)
        #expect(error.code == .contentDecodingFailed)
        #expect(error.phase == .receiving)
        #expect(!error.isRetryable)
        #expect(error.message.contains("x-gzip"))
        #expect(!error.message.contains("\u{1B}"))
    }

    @Test(arguments: [7, 22, 28, 43, 56] as [Int32], [(403, false), (407, false), (502, true)])
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

    @Test(arguments: [43, 58] as [Int32])
    func `an identity that cannot be used fails TLS`(code: Int32) throws {
        var facts = Progress.connecting.facts
        facts.hasIdentity = true
        #expect(try Self.error(code, facts).code == .tlsFailed)
    }

    @Test(.rows("S0-27"), arguments: [16, 42, 56, 92] as [Int32])
    func `what the server refused unprocessed has not reached it, and may be sent again`(
        code: Int32
    ) throws {
        var facts = Progress.sent.facts
        facts.isVetoed = true
        facts.isRefused = true
        let error = try Self.error(code, facts)
        #expect(error.code == .connectionLost)
        #expect(error.isRetryable)
        #expect(!error.mayHaveReachedServer)
    }

    @Test(.rows("S0-27"))
    func `a refused connection says why`() throws {
        let error = try Self.error(7, .connecting, systemError: ECONNREFUSED)
        #expect(error.message.contains("\(SystemError(ECONNREFUSED))"))
        #expect(error.underlyingError as? SystemError == SystemError(ECONNREFUSED))
    }

    @Test(.rows("S0-27"))
    func `a refused re-send is a lost connection that is not retried`() throws {
        let error = try Self.error(42, .sent, isVetoed: true)
        #expect(error.code == .connectionLost)
        #expect(!error.isRetryable)
        #expect(error.mayHaveReachedServer)
        #expect(try Self.error(42, .sent).code == .internalFailure)
    }

    @Test(.rows("S0-27"))
    func `libcurl's time limit is that of connecting`() throws {
        let error = try Self.error(28, .connecting)
        #expect(error.code == .timedOut)
        #expect(error.timer == HTTPError.Timer(.connect, .seconds(10)))
        #expect(error.phase == .connecting)
        #expect(!error.mayHaveReachedServer)
    }

    @Test(.rows("S3-3"), arguments: 0..<110 as Range<Int32>, Progress.allCases)
    func `every code, known or not, has a sentence`(code: Int32, progress: Progress) throws {
        let error = try Self.error(code, progress)
        #expect(!error.message.isEmpty)
        #expect(!CurlError(code: code).description.isEmpty)
    }

    @Test(arguments: Progress.allCases, [5, 7, 22, 52, 55, 56, 97] as [Int32])
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
