import Foundation
import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportURLSession
import TestSupport
import Testing

/// Uses every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPTransportURLSessionNumbersTests {
    private func send(
        _ server: LoopbackServer,
        configure: (inout URLSessionTransportConfiguration) -> Void = { _ in },
        change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPError? {
        var configuration = URLSessionTransportConfiguration()
        configure(&configuration)
        var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody("body"))
        change(&request)
        do {
            let transport = try URLSessionTransport(configuration)
            #expect(try await transport.response(for: request).text() == "text")
            await transport.close()
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

    @Test func `a limit of any time is honoured, or refused by name`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        for duration in Extremes.durations {
            for limit in [\HTTPTimeouts.connect, \.responseHead, \.idle, \.total] {
                let error = try await send(server) {
                    $0.timeouts[keyPath: limit] = .after(duration)
                }
                let own = try await sendChanged(server) {
                    $0.timeouts[keyPath: limit] = .after(duration)
                }
                if duration <= .zero {
                    #expect(error?.code == .invalidRequest && own?.code == .invalidRequest)
                }
                if duration > .seconds(60) { #expect(error == nil && own == nil) }
            }
            let late = try await sendChanged(server) { request in
                request.deadline = HTTPSystemClock().now + duration
            }
            if duration > .seconds(60) { #expect(late == nil) }
            if duration <= .zero { #expect(late?.timer?.name == .deadline) }
        }
    }

    @Test(arguments: Extremes.counts)
    func `a setting of any number is honoured, or refused by name`(count: Int) async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let connections = try await send(server) { $0.maximumConnectionsPerHost = count }
        #expect((connections == nil) == (count >= 1))
        let threshold = try await send(server) { $0.spillThreshold = count }
        #expect((threshold == nil) == (count >= 0))
        let buffered = try await sendChanged(server) { $0.delivery = .buffered(upTo: count) }
        #expect(buffered == nil || buffered?.code == .bodyTooLarge)
    }

    @Test(arguments: Extremes.durations)
    func `a transport that is idle closes at once, however long it may take`(grace: Duration)
        async throws
    {
        let server = try LoopbackServer { _ in .ok("text") }
        let transport = URLSessionTransport()
        #expect(try await transport.response(for: server.url("/")).text() == "text")
        await transport.close(grace: grace)
        await #expect(throws: HTTPError.self) { try await transport.response(for: server.url("/")) }
    }
}
