import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

@Suite(.timeLimit(.minutes(5))) struct UploadFileTests {
    /// Reads on from `position`, fetching what has to be, into space for `count` bytes at a time.
    private static func readAll(
        _ upload: inout UploadFile, _ count: Int, from position: Int64 = 0
    ) throws -> Data {
        var bytes = Data()
        var space = [UInt8](repeating: 0, count: count)
        while true {
            let reading = unsafe space.withUnsafeMutableBytes {
                unsafe upload.read(into: $0, at: position + Int64(bytes.count))
            }
            switch reading {
            case .copied(let count): bytes += space[..<count]
            case .wait(let fetch): upload.add(try fetch.read())
            case .end: return bytes
            }
        }
    }

    @Test(arguments: [1, 7, 4096, 1 << 20])
    func `all bytes come in order through any space, and again from anywhere`(
        space: Int
    ) throws {
        let count = space == 1 ? 5000 : 700_000
        let file = try PatternFile(count)
        var upload = try UploadFile(try file.file())
        #expect(try Self.readAll(&upload, space) == PatternCheck.bytes(0..<count))
        #expect(
            try Self.readAll(&upload, space, from: 1000) == PatternCheck.bytes(1000..<count))
        #expect(try Self.readAll(&upload, space, from: Int64(count)).isEmpty)
    }

    @Test func `of a range nothing else is read`() throws {
        let file = try PatternFile(10_000)
        var upload = try UploadFile(try file.file(100..<9000))
        #expect(try Self.readAll(&upload, 4096) == PatternCheck.bytes(100..<9000))
    }

    @Test func `a piece that was fetched is read from in place of the file`() throws {
        let file = try PatternFile(600_000)
        var upload = try UploadFile(try file.file(1000..<600_000))
        let piece = try upload.fetch(at: 5000).read()
        file.shorten(to: 3000)
        upload.add(piece)
        var space = [UInt8](repeating: 0, count: 100_000)
        var position = 5000
        while case .copied(let count) = unsafe space.withUnsafeMutableBytes({
            unsafe upload.read(into: $0, at: Int64(position))
        }) {
            let wanted = PatternCheck.bytes(1000 + position..<1000 + position + count)
            #expect(Data(space[..<count]) == wanted)
            position += count
            if position == 5000 + (256 << 10) { break }
        }
        #expect(position == 5000 + (256 << 10), "a piece is as long as that")
        #expect(throws: HTTPError.self) { try Self.readAll(&upload, 4096, from: Int64(position)) }
    }

    @Test func `a file that became shorter, or went away, is an error that names it`() throws {
        let file = try PatternFile(10_000)
        let body = try file.file()
        var upload = try UploadFile(body)
        file.shorten(to: 6000)
        var error = #expect(throws: HTTPError.self) { try Self.readAll(&upload, 4096) }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.message.contains(file.path) == true)
        file.remove()
        error = #expect(throws: HTTPError.self) { try UploadFile(body) }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.message.contains(file.path) == true)
    }

    @Test func `a FIFO in the file's place is not waited for`() throws {
        let file = try PatternFile(10)
        let body = try file.file()
        file.remove()
        #expect(unsafe mkfifo(file.path, 0o600) == 0)
        let error = #expect(throws: HTTPError.self) { try UploadFile(body) }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.message.contains("no longer a regular file") == true)
    }

    @Test func `thousands that wait for their turn with a file that has gone fail, each`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.pause(until: gate), .respond(.ok("first"))]
        })
        let file = try PatternFile(10)
        let request = try HTTPRequest(.put, server.url("/"), body: try file.body())
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        let url = server.url
        let first = Task { try await session.response(for: url).text() }
        try await gate.reached()
        let count = 4000
        let failures = await withTaskGroup(of: HTTPError.Code?.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        _ = try await session.response(for: request)
                        return nil
                    } catch {
                        return (error as? HTTPError)?.code
                    }
                }
            }
            while await session.statistics().total.waiting < count { await Task.yield() }
            file.remove()
            gate.open()
            return await group.reduce(into: 0) { $0 += $1 == .requestBodyFailed ? 1 : 0 }
        }
        #expect(failures == count)
        #expect(try await first.value == "first")
        #expect(server.snapshot.requestCount == 1)
        await session.close()
    }

    @Test(arguments: [true, false])
    func `what a disk has to be waited for arrives like the rest`(readsCached: Bool) async throws {
        let count = 3_000_000
        let file = try PatternFile(count)
        var configuration = CurlConfiguration()
        configuration.readsCachedFiles = readsCached
        let server = try LoopbackServer { request in
            .ok("\(Data(request.content ?? []) == PatternCheck.bytes(0..<count))")
        }
        let session = try CurlTransport(configuration)
        for _ in 0..<3 {
            file.cool()
            let request = try HTTPRequest(
                .put, server.url("/"), body: try file.body())
            let response = try await session.response(for: request)
            #expect(try await response.text() == "true")
            #expect(response.timeline.exchanges.first?.requestBodyBytes == Int64(count))
        }
        await session.close()
    }

    @Test func `a file that becomes shorter while it is sent fails the request`() async throws {
        let file = try PatternFile(20_000_000)
        let gate = LoopbackGate()
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            script: { _ in [.stopReading, .pause(until: gate), .startReading, .awaitContentEnd] })
        let session = CurlTransport()
        let request = try HTTPRequest(.put, server.url("/"), body: try file.body())
        let answer = Task { try await session.response(for: request) }
        try await gate.reached()
        file.shorten(to: 1000)
        gate.open()
        let error = await #expect(throws: HTTPError.self) { try await answer.value }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.phase == .sending)
        #expect(error?.mayHaveReachedServer == true)
        await session.close()
    }

    #if os(Linux)
        @Test func `nothing is kept open after an upload that ended at any point`() async throws {
            let file = try PatternFile(2_000_000)
            let opened = try file.file().open()
            #expect(file.isOpen, "it is seen")
            close(opened)
            let server = try LoopbackServer { _ in .ok() }
            let session = CurlTransport()
            var random = SeededRandom(4)
            await withDiscardingTaskGroup { group in
                for _ in 0..<40 {
                    let delay = Duration.microseconds(Int.random(in: 0..<8000, using: &random))
                    group.addTask {
                        file.cool()
                        let upload = Task {
                            let body = try file.body()
                            return try await session.response(
                                for: HTTPRequest(.put, server.url("/"), body: body)
                            ).text()
                        }
                        try? await Task.sleep(for: delay)
                        upload.cancel()
                        _ = await upload.result
                    }
                }
            }
            await session.close()
            while file.isOpen { try await Task.sleep(for: .milliseconds(1)) }
        }
    #endif
}
