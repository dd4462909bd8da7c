import Dispatch
import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableLibc
import PortableFoundation

#if canImport(HTTPTransportCurl)
    import HTTPTransportCurl
#endif

/// The parts of a daemon that end in order.
private struct Shutdown: Sendable {
    let intake: AsyncStream<String>.Continuation
    let listening: Task<Void, any Error>
    let working: Task<Void, Never>
    let client: HTTPClient
    let cookies: HTTPCookieJar

    /// Runs at the first signal.
    func drain(within grace: Duration) async throws {
        intake.finish()  // 1. no further work
        listening.cancel()  // 2. what never ends by itself
        let limit = Task {
            try await Task.sleep(for: grace)
            working.cancel()
        }
        await working.value  // 3. the calls under way
        limit.cancel()
        _ = await listening.result
        await client.close(grace: .seconds(1))  // 4. connections
        try await cookies.close()  // 5. files
    }

    /// Runs at the second signal.
    func abandon() { working.cancel() }
}

/// Calls `handler` at each such signal, as long as the source that it returns is kept.
private func watch(
    _ number: Int32, _ handler: @escaping @Sendable () -> Void
) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)  // otherwise the signal ends the process
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: handler)
    source.resume()
    return source
}

#if canImport(HTTPTransportCurl)
    /// The code of Docs/Guides/Draining.md, word for word, and what the page promises.
    @Suite(.timeLimit(.minutes(5))) struct DrainingGuideTests {
        private let folder: DownloadFolder
        private let outcomes = Record<String>()

        init() throws { folder = try DownloadFolder() }

        private func note(_ event: ServerSentEvent) { outcomes.add("event \(event.data)") }

        private func deliver(_ job: String, with client: HTTPClient) async {
            do {
                let response = try await client.get(job).response()
                outcomes.add("\(job) \(response.status.code)")
            } catch is CancellationError {
                outcomes.add("\(job) cancelled")
            } catch {
                outcomes.add("\(job) \((error as? HTTPError)?.code.rawValue ?? "\(error)")")
            }
        }

        private func work(on jobs: AsyncStream<String>, with client: HTTPClient) async {
            await withDiscardingTaskGroup { group in
                for await job in jobs {
                    group.addTask { await deliver(job, with: client) }
                }
            }
        }

        private func listen(with client: HTTPClient) async throws {
            for try await event in try client.events(from: "events") { note(event) }
        }

        /// Returns a server with a redirect that waits for `gate`, and a stream without an end.
        private func server(_ gate: LoopbackGate) throws -> LoopbackServer {
            try LoopbackServer { request -> LoopbackScript in
                switch request.path {
                case "/events":
                    [
                        .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"),
                        .send("data: 1\n\n"), .stall,
                    ]
                case "/moved": [.pause(until: gate), .respond(.redirect(to: "/job"))]
                case "/stuck": [.pause(until: gate), .stall]
                default:
                    [
                        .respond(
                            LoopbackResponse(
                                fields: [("Set-Cookie", "last=1; Max-Age=86400")]))
                    ]
                }
            }
        }

        private func shutdown(
            for server: LoopbackServer, jobs first: String...
        ) async throws -> Shutdown {
            let cookies = try HTTPCookieJar.file(at: folder.file("cookies"))
            let service = server.url("/")
            let client = try HTTPClient(
                baseURL: service, transport: CurlTransport(), retry: .standard, cookies: cookies)
            let (jobs, intake) = AsyncStream.makeStream(of: String.self)
            for job in first { intake.yield(job) }
            let shutdown = Shutdown(
                intake: intake, listening: Task { try await listen(with: client) },
                working: Task { await work(on: jobs, with: client) }, client: client,
                cookies: cookies)
            try await outcomes.wait { $0.contains("event 1") }
            return shutdown
        }

        @Test func `in this order, a call with a redirect ends and its cookie is saved`()
            async throws
        {
            let gate = LoopbackGate()
            let server = try server(gate)
            let shutdown = try await shutdown(for: server, jobs: "moved")
            try await gate.reached()
            shutdown.intake.onTermination = { _ in gate.open() }
            try await shutdown.drain(within: .seconds(60))

            #expect(outcomes.entries == ["event 1", "moved 200"])
            #expect(await shutdown.listening.result.isCancellation)
            let file = String(decoding: try folder.bytes(of: "cookies"), as: UTF8.self)
            #expect(file.contains("last\t1"))
            try await server.waitUntil { $0.connections.open == 0 }
            let late = await #expect(throws: HTTPError.self) {
                try await shutdown.client.get("job").response()
            }
            #expect(late?.code == .sessionClosed)
            if case .terminated = shutdown.intake.yield("job") {} else { Issue.record("taken") }
        }

        @Test func `what takes longer is cancelled, and the shutdown goes on`() async throws {
            let server = try server(LoopbackGate())
            let shutdown = try await shutdown(for: server, jobs: "stuck")
            try await server.waitUntil { $0.requestCount == 2 }
            try await shutdown.drain(within: .zero)
            #expect(outcomes.entries == ["event 1", "stuck cancelled"])
            try await server.waitUntil { $0.connections.open == 0 }
        }

        @Test func `a second signal ends the work at once`() async throws {
            let server = try server(LoopbackGate())
            let shutdown = try await shutdown(for: server, jobs: "stuck")
            try await server.waitUntil { $0.requestCount == 2 }
            shutdown.intake.onTermination = { _ in shutdown.abandon() }
            try await shutdown.drain(within: .seconds(600))
            #expect(outcomes.entries == ["event 1", "stuck cancelled"])
        }

        @Test func `closing the client alone loses a call that has to send once more`()
            async throws
        {
            let gate = LoopbackGate()
            let server = try server(gate)
            let transport = CurlTransport()
            let client = try HTTPClient(baseURL: server.url("/"), transport: transport)
            let job = Task { await deliver("moved", with: client) }
            try await gate.reached()
            let closing = Task { await client.close(grace: .seconds(60)) }
            let origin = try HTTPOrigin(server.url)
            while (try? transport.taskExecutor(for: origin)) != nil { await Task.yield() }
            gate.open()
            await job.value
            await closing.value
            #expect(outcomes.entries == ["moved sessionClosed"])
        }

        @Test func `a signal calls the handler, each time`() async throws {
            let signals = Locked(0)
            let source = watch(SIGUSR2) { signals.withLock { $0 += 1 } }
            // A signal that comes before the source has begun to watch is lost.
            for count in 1...2 {
                while signals.withLock({ $0 }) < count {
                    kill(getpid(), SIGUSR2)
                    await Task.yield()
                }
            }
            source.cancel()
        }

        @Test func `the shared transport stays open`() async throws {
            let server = try LoopbackServer { _ in .ok("x") }
            let client = try HTTPClient(baseURL: server.url("/"))
            await client.close()
            #expect(try await HTTPClient.shared.get(server.url("/")).text() == "x")
        }

        @Test func `a cancelled download keeps its part`() async throws {
            let server = try LoopbackServer { _ in
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nETag: \"1\"\r\n\r\nabc"),
                    .stall,
                ]
            }
            let (url, path) = (server.url("/file"), folder.file())
            let client = HTTPClient(transport: CurlTransport())
            let arrived = Record<Int64>()
            let downloading = Task {
                try await client.download(url, to: path) { arrived.add($0.bytes) }
            }
            try await arrived.wait { $0.contains(3) }
            downloading.cancel()
            _ = await downloading.result
            if let left = HTTPResumeData(downloadTo: path) {
                print(left.bytes, "of", left.length ?? 0, "bytes are there")
            }
            let left = try #require(HTTPResumeData(downloadTo: path))
            #expect(left.bytes == 3)
            #expect(left.length == 6)
        }

        @Test func `the page shows this code`() throws {
            let page = try GuidePage("Draining")
            #expect(page.blocks.count == 5)
            #expect(page.untested == [])
        }
    }

    extension Result {
        fileprivate var isCancellation: Bool {
            if case .failure(let error) = self { error is CancellationError } else { false }
        }
    }
#endif
