import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The events of the steps to a connection.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportStepEventTests {
    /// Keeps the names of events. The last event of an exchange opens ``ended``.
    private final class Steps: HTTPObserver {
        private let state = Locked((names: [String](), connected: [HTTPTimeline.Exchange]()))
        let ended = Gate()

        var names: [String] { state.withLock { $0.names } }
        var connected: [HTTPTimeline.Exchange] { state.withLock { $0.connected } }

        func observe(_ event: HTTPEvent) {
            let name: String? =
                switch event.kind {
                case .resolving(let host): "resolving \(host)"
                case .resolved(let host): "resolved \(host)"
                case .connecting(let address): "connecting \(address)"
                case .securing: "securing"
                case .connected(let exchange):
                    exchange.isConnectionReused == true ? "connected, kept" : "connected, new"
                case .head: "head"
                case .ended: "ended"
                case .failed: "failed"
                default: nil
                }
            state.withLock { state in
                if let name { state.names.append(name) }
                if case .connected(let exchange) = event.kind { state.connected.append(exchange) }
            }
            switch event.kind {
            case .ended, .failed: ended.open()
            default: break
            }
        }
    }

    /// Sends a request to its end. Returns the steps of its call.
    private static func steps(
        of request: HTTPRequest, over session: CurlTransport
    ) async throws -> Steps {
        let steps = Steps()
        let request = try request.beginningCall(observer: steps)
        _ = try? await session.response(for: request).data()
        await steps.ended.waitIgnoringCancellation()
        return steps
    }

    private static func steps(of url: String, over session: CurlTransport) async throws -> Steps {
        try await steps(of: HTTPRequest(.get, url), over: session)
    }

    // MARK: New and kept connections

    @Test(.rows("B-10"))
    func `a new connection has steps, and a kept one has none`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        // The handle of an exchange without an observer is not used for one with an observer.
        _ = try await session.response(for: server.url("/")).data()
        let kept = try await Self.steps(of: server.url("/"), over: session)
        #expect(kept.names == ["connected, kept", "head", "ended"])

        let other = CurlTransport()
        let new = try await Self.steps(of: server.url("/"), over: other)
        let address = "127.0.0.1:\(server.port)"
        #expect(
            new.names == ["connecting \(address)", "connected, new", "head", "ended"])
        let connection = try #require(new.connected.first)
        #expect(connection.remoteHost == "127.0.0.1")
        #expect(connection.remotePort == Int(server.port))
        #expect(connection.connected != nil && connection.admitted != nil)
        #expect(connection.secured == nil && connection.tlsVersion == nil)
        #expect(connection.firstByte == nil && connection.lastByte == nil)

        let again = try await Self.steps(of: server.url("/"), over: other)
        #expect(again.names == ["connected, kept", "head", "ended"])
        #expect(again.connected.first?.connected == nil)
        // An exchange without an observer may follow in the same handle.
        #expect(try await other.response(for: server.url("/")).text() == "fine")
    }

    @Test(.rows("B-10"))
    func `a request that is sent again is connected twice`() async throws {
        let server = try LoopbackServer(script: { _ in [.respond(.ok())] })
        let session = CurlTransport()
        _ = try await session.response(for: server.url("/")).data()
        // The kept connection is closed when the next request arrives.
        server.enqueue([.close])
        let steps = try await Self.steps(of: server.url("/"), over: session)
        #expect(
            steps.names == [
                "connected, kept", "connecting 127.0.0.1:\(server.port)", "connected, new", "head",
                "ended",
            ])
        #expect(steps.connected.map(\.silentResends) == [0, 1])
    }

    @Test(.rows("B-10"))
    func `a refused connection ends after its step`() async throws {
        let port = try RefusingPort()
        let steps = try await Self.steps(of: port.url, over: CurlTransport())
        #expect(steps.names.count == 2)
        #expect(steps.names.first?.hasPrefix("connecting 127.0.0.1:") == true)
        #expect(steps.names.last == "failed")
    }

    // MARK: Names

    @Test(.rows("B-10"))
    func `a resolver's look-up is reported, and each address that is tried`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let refusing = try RefusingPort()
        var configuration = CurlConfiguration()
        configuration.timeouts.connect = .after(.seconds(120))
        configuration.resolver = { host, _ in
            guard host == "name.test" else { throw CancellationError() }
            return HostAddresses(
                ["127.0.0.1", "::1"].compactMap { IPAddress($0) }, lifetime: .seconds(60))
        }
        let session = try CurlTransport(configuration)
        let url = "http://name.test:\(server.port)/"
        let steps = try await Self.steps(of: url, over: session)
        // The second address may be tried while the first is being connected to.
        #expect(
            steps.names.filter { !$0.hasPrefix("connecting [::1]") } == [
                "resolving name.test", "resolved name.test", "connecting 127.0.0.1:\(server.port)",
                "connected, new", "head", "ended",
            ])
        #expect(try await Self.steps(of: url, over: session).names.first == "connected, kept")

        let other = refusing.url.replacing("127.0.0.1", with: "name.test")
        let refused = try await Self.steps(of: other, over: session)
        #expect(refused.names.dropFirst(2).filter { $0.hasPrefix("connecting") }.count == 2)
        #expect(refused.names.last == "failed")

        let unknown = "http://unknown.test:\(server.port)/"
        #expect(
            try await Self.steps(of: unknown, over: session).names == [
                "resolving unknown.test", "failed",
            ])
    }

    /// The system finds no address of such a name (RFC 6761 §6.4), and libcurl asks the system.
    @Test(.rows("B-10"))
    func `libcurl's look-up is reported, but not one of an address`() async throws {
        var request = try HTTPRequest(.get, "http://a.invalid/")
        request.timeouts.connect = .after(.seconds(60))
        let steps = try await Self.steps(of: request, over: CurlTransport())
        #expect(steps.names == ["resolving a.invalid", "failed"])
    }

    // MARK: Sockets

    @Test(.rows("B-10"))
    func `a Unix socket is named by its path`() async throws {
        let path = "/tmp/http-no-such-socket-\(UInt32.random(in: 0...(.max)))"
        var request = try HTTPRequest(.get, "http://127.0.0.1/")
        request[UnixSocket.self] = try UnixSocket(path, for: HTTPOrigin(request.url))
        let steps = try await Self.steps(of: request, over: CurlTransport())
        #expect(steps.names == ["connecting unix:\(path)", "failed"])
    }

    @Test(.rows("B-10"), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `a TLS handshake is reported with and without a limit of its own`() async throws {
        let server = try await TLSServer.start(TestAuthority.shared.server)
        let session = try await TestAuthority.transport()
        for limit in [HTTPTimeouts.Limit.standard, .after(.seconds(60))] {
            var request = try HTTPRequest(.get, server.url)
            request.timeouts.tls = limit
            // The server closes each connection.
            let steps = try await Self.steps(of: request, over: session)
            #expect(
                steps.names == [
                    "connecting 127.0.0.1:\(server.port)", "securing", "connected, new", "head",
                    "ended",
                ])
            let connection = try #require(steps.connected.first)
            #expect(connection.tlsVersion?.hasPrefix("TLSv1.") == true)
            #expect(connection.secured != nil)
        }
    }
}
