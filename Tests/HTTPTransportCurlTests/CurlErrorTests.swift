import HTTPCore
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
    /// How far the exchange had come.
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
        let limits = TimeLimits(try HTTPRequest(.get, "http://host.test/"), HTTPTimeouts())
        return HTTPError(curl: code, facts, limits: limits)
    }

    // MARK: Its errors, S0-27, S3-3

    @Test(
        arguments: [
            (1, .sent, .protocolViolation, .waiting, true),
            (3, .connecting, .invalidRequest, .preparing, false),
            (6, .connecting, .nameNotResolved, .resolving, true),
            (7, .connecting, .cannotConnect, .connecting, true),
            (8, .receiving, .protocolViolation, .waiting, true),
            (16, .started, .connectionLost, .sending, true),
            (16, .body, .connectionLost, .receiving, true),
            (18, .body, .bodyIncomplete, .receiving, true),
            (23, .body, .internalFailure, .receiving, false),
            (25, .sent, .requestBodyFailed, .sending, false),
            (26, .sent, .requestBodyFailed, .sending, false),
            (27, .receiving, .headersTooLarge, .waiting, false),
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
            (100, .receiving, .headersTooLarge, .waiting, false),
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
        arguments: [
            (0, .receiving, .headersTooLarge), (ECONNRESET, .receiving, .connectionLost),
            (0, .body, .protocolViolation), (ECONNRESET, .body, .bodyIncomplete),
            (ECONNRESET, .sent, .connectionLost),
        ] as [(Int32, Progress, HTTPError.Code)])
    func `the system's error tells a broken connection from broken framing`(
        systemError: Int32, progress: Progress, code: HTTPError.Code
    ) throws {
        #expect(try Self.error(56, progress, systemError: systemError).code == code)
    }

    @Test func `a refused connection says why`() throws {
        let error = try Self.error(7, .connecting, systemError: ECONNREFUSED)
        #expect(error.message.contains("\(SystemError(ECONNREFUSED))"))
        #expect(error.underlyingError as? SystemError == SystemError(ECONNREFUSED))
    }

    @Test func `a refused re-send is a lost connection that is not retried`() throws {
        let error = try Self.error(42, .sent, isVetoed: true)
        #expect(error.code == .connectionLost)
        #expect(!error.isRetryable)
        #expect(error.mayHaveReachedServer)
        #expect(try Self.error(42, .sent).code == .internalFailure)
    }

    @Test func `libcurl's time limit is that of connecting`() throws {
        let error = try Self.error(28, .connecting)
        #expect(error.code == .timedOut)
        #expect(error.timer == HTTPError.Timer(.connect, .seconds(10)))
        #expect(error.phase == .connecting)
        #expect(!error.mayHaveReachedServer)
    }

    @Test(arguments: 0..<110 as Range<Int32>, Progress.allCases)
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
        let limits = TimeLimits(try HTTPRequest(.get, "http://host.test/"), HTTPTimeouts())
        let error = HTTPError(curl: code, facts, limits: limits)
        #expect((error.code == .proxyFailed) == (progress == .connecting))
        #expect(error.mayHaveReachedServer == (progress != .connecting))
    }
}
