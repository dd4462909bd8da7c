import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Servers that send on idle connections what nothing has asked for.
@Suite(.timeLimit(.minutes(20))) struct KeptConnectionsAttackTests {
    private static var isFull: Bool {
        ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
    }

    private struct Sender: Sendable {
        let session: CurlTransport
        let url: String
        let form: TalkativeServer.Form
        let pause: ClosedRange<Double>

        struct Failure: CustomStringConvertible {
            let description: String
            /// The time from before the request to after its end, by the server's clock.
            let time: ClosedRange<Int64>
        }

        /// Returns what was wrong, or `nil`.
        func send(_ number: Int) async throws -> Failure? {
            // Some requests come before the bytes, some with them and some later.
            try await Task.sleep(for: .microseconds(.random(in: pause)))
            let method: HTTPMethod = form == .head ? .head : number % 2 == 0 ? .get : .post
            var request = try HTTPRequest(
                method, url, body: method == .post ? HTTPBody("body") : .empty)
            try request.headers.set("X-Number", "\(number)")
            let started = TalkativeServer.now
            try request.headers.set("X-Started", "\(started)")
            func failure(_ description: String) -> Failure {
                Failure(description: description, time: started...TalkativeServer.now)
            }
            do {
                let response = try await session.response(for: request)
                let text = try await response.text()
                let expected = form == .length || form == .chunked ? "ok" : ""
                let isRight = response.headers["X-Number"] == "\(number)" && text == expected
                return isRight
                    ? nil : failure("\(response.status.code) \(response.headers) \(text)")
            } catch {
                return failure("\(error)")
            }
        }

        /// Eight or more at a time, as one session has them.
        func send(count: Int) async throws -> [Int: Failure] {
            try await withThrowingTaskGroup(of: [Int: Failure].self) { group in
                let workers = count < 1000 ? 8 : 48
                for worker in 0..<workers {
                    group.addTask {
                        var failures: [Int: Failure] = [:]
                        for number in stride(from: worker, to: count, by: workers) {
                            failures[number] = try await send(number)
                        }
                        return failures
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            }
        }
    }

    private static func attack(
        _ form: TalkativeServer.Form, _ surplus: TalkativeServer.Surplus, over tls: RawTLS? = nil
    ) async throws {
        let server = try TalkativeServer(form, surplus, over: tls)
        let session =
            tls == nil ? CurlTransport() : try CurlTransport(try await TestAuthority.trusting())
        let sender = Sender(
            session: session, url: "\(tls == nil ? "http" : "https")://127.0.0.1:\(server.port)/",
            form: form, pause: 0...40_000)
        let count = isFull ? 10_000 : 64
        let failures = try await sender.send(count: count)
        await session.close()
        let counts = server.counts
        // When a client closes a connection, bytes that the server has not read are lost. Such a
        // request was a race if it crossed bytes that the server had just sent.
        let wrong = failures.filter { number, failure in
            let met = failure.time.lowerBound - TalkativeServer.grace...failure.time.upperBound
            return !counts.races.contains(number)
                && (counts.late.contains(number) || !counts.talks.contains { met.overlaps($0) })
        }
        let isRight = wrong.isEmpty && counts.late.isEmpty
        #expect(wrong.isEmpty)
        #expect(counts.late.isEmpty)
        print(
            "FIGURE | \(count) requests, \(surplus) after \(form)\(tls == nil ? "" : " over TLS"), "
                + "\(counts.races.count) races apart | \(counts.late.count) sent on such a"
                + " connection, \(wrong.count) wrong or failed"
                + " | 0 and 0 | \(isRight ? "pass" : "fail")")
    }

    @Test(arguments: TalkativeServer.Form.allCases, TalkativeServer.Surplus.allCases)
    func `bytes that are read with the end of a response answer nothing`(
        form: TalkativeServer.Form, surplus: TalkativeServer.Surplus
    ) async throws {
        let response = TalkativeServer.response(form, 1)
        let (first, second) = (LoopbackGate(), LoopbackGate())
        let server = try LoopbackServer(scripts: [
            [
                .awaitHead, .send(Array(response.utf8) + surplus.bytes), .pause(until: first),
                .awaitHead, .send(TalkativeServer.response(.length, 2)), .pause(until: second),
            ],
            [.awaitHead, .send(TalkativeServer.response(.length, 2)), .pause(until: second)],
        ])
        defer {
            first.open()
            second.open()
        }
        let session = CurlTransport()
        _ = try await session.response(
            for: HTTPRequest(form == .head ? .head : .get, server.url)
        ).text()
        first.open()
        #expect(try await session.response(for: server.url).text() == "ok")
        #expect(server.connections.accepted == 2)
    }

    @Test(arguments: TalkativeServer.Form.allCases, TalkativeServer.Surplus.allCases)
    func `bytes on an idle connection never answer a request`(
        form: TalkativeServer.Form, surplus: TalkativeServer.Surplus
    ) async throws { try await Self.attack(form, surplus) }

    @Test(.enabled(if: TestAuthority.isAvailable), arguments: TalkativeServer.Surplus.allCases)
    func `nor do they under TLS`(surplus: TalkativeServer.Surplus) async throws {
        let certificate = try await TestAuthority.shared.server
        try await Self.attack(.length, surplus, over: try RawTLS(certificate))
    }

    /// Session tickets are no reason to give a connection up.
    @Test(.enabled(if: TestAuthority.isAvailable), arguments: [false, true])
    func `a server that sends nothing unasked keeps its one connection`(
        isSecure: Bool
    ) async throws {
        let tls = isSecure ? try RawTLS(try await TestAuthority.shared.server) : nil
        let server = try TalkativeServer(.length, nil, over: tls)
        let session = try CurlTransport(try await TestAuthority.trusting())
        let sender = Sender(
            session: session, url: "\(isSecure ? "https" : "http")://127.0.0.1:\(server.port)/",
            form: .length, pause: 0...1000)
        let count = Self.isFull ? 2000 : 50
        var failures: [String] = []
        for number in 0..<count {
            if let failure = try await sender.send(number) { failures.append("\(failure)") }
        }
        #expect(failures == [])
        // Where the library cannot send bodies over HTTP/2, they have a connection of their own.
        let expected = try isSecure && !CurlTransport.library.uploadsOverHTTP2 ? 2 : 1
        #expect(server.counts.connections == expected)
        print(
            "FIGURE | connections for \(count) requests in a row\(isSecure ? " over TLS" : "")"
                + " | \(server.counts.connections) | \(expected)"
                + " | \(server.counts.connections == expected ? "pass" : "fail")")
    }
}
