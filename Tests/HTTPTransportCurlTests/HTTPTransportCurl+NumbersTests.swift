import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

/// Every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPTransportCurlNumbersTests {
    /// Refused by name, or honoured: whatever comes of it, the process goes on.
    private func send(
        _ server: LoopbackServer, configure: (inout CurlConfiguration) -> Void = { _ in },
        change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPError? {
        var configuration = CurlConfiguration()
        configure(&configuration)
        var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody("body"))
        change(&request)
        do {
            let transport = try CurlTransport(configuration)
            #expect(try await transport.response(for: request).text() == "text")
            return nil
        } catch let error as HTTPError {
            return error
        }
    }

    private func sendChanged(
        _ server: LoopbackServer, _ change: (inout HTTPRequest) -> Void
    ) async throws -> HTTPError? {
        try await send(server, configure: { _ in }, change: change)
    }

    @Test func `a setting of any time is honoured, or refused by name`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let settings: [WritableKeyPath<CurlConfiguration, Duration?>] = [
            \.queueTimeout, \.connectionLifetime, \.unacknowledgedTimeout,
        ]
        for duration in Extremes.durations {
            for setting in settings {
                let error = try await send(server) { $0[keyPath: setting] = duration }
                #expect(error == nil || error?.code == .invalidRequest || duration < .seconds(1))
            }
            let idle = try await send(server) { $0.idleConnectionTimeout = duration }
            #expect((idle == nil) == (duration >= .seconds(1)))
            for limit in [\HTTPTimeouts.connect, \.tls, \.responseHead, \.idle, \.total] {
                let error = try await send(server) {
                    $0.timeouts[keyPath: limit] = .after(duration)
                }
                if duration <= .zero { #expect(error?.code == .invalidRequest) }
                let own = try await sendChanged(server) {
                    $0.timeouts[keyPath: limit] = .after(duration)
                }
                if duration <= .zero { #expect(own?.code == .invalidRequest) }
                if duration > .seconds(60) { #expect(error == nil && own == nil) }
            }
            let late = try await sendChanged(server) { request in
                request.deadline = HTTPSystemClock().now + duration
            }
            if duration > .seconds(60) { #expect(late == nil) }
            if duration <= .zero { #expect(late?.timer?.name == .deadline) }
            #expect(
                try await sendChanged(server) { $0[ExpectContinue.self] = duration } == nil)
        }
    }

    @Test func `a setting of any number is honoured, or refused by name`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let settings: [WritableKeyPath<CurlConfiguration, Int>] = [
            \.eventLoops, \.maximumConnectionsPerOrigin, \.maximumWaitingPerOrigin, \.highWater,
            \.lowWater,
        ]
        let optional: [WritableKeyPath<CurlConfiguration, Int?>] = [
            \.maximumConnections, \.maximumExpansion,
        ]
        for count in Extremes.counts {
            for setting in settings {
                let error = try await send(server) { $0[keyPath: setting] = count }
                #expect(error == nil || error?.code == .invalidRequest, "\(error as Any)")
            }
            for setting in optional {
                let error = try await send(server) { $0[keyPath: setting] = count }
                #expect(error == nil || error?.code == .invalidRequest, "\(error as Any)")
            }
            let ports = try await send(server) { $0.addressPolicy.ports = [count] }
            #expect(ports != nil)
            let buffered = try await sendChanged(server) {
                $0.delivery = .buffered(upTo: count)
            }
            #expect(buffered == nil || buffered?.code == .bodyTooLarge)
        }
        for length in Extremes.lengths {
            let error = try await send(server) { $0.maximumBodyLength = length }
            #expect(error == nil || [.invalidRequest, .bodyTooLarge].contains(error?.code))
        }
        let address = try #require(IPAddress("127.0.0.1"))
        for port in Extremes.counts { #expect(AddressPolicy.any.permits(address, port: port)) }
    }

    @Test(arguments: Extremes.durations)
    func `a transport that is idle closes at once, however long it may take`(grace: Duration)
        async throws
    {
        let server = try LoopbackServer { _ in .ok("text") }
        let transport = CurlTransport()
        #expect(try await transport.response(for: server.url).text() == "text")
        await transport.close(grace: grace)
        await #expect(throws: HTTPError.self) { try await transport.response(for: server.url) }
    }
}
