import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPTransferProgressTests {
    // MARK: Downloads

    @Test(.rows("S1-41"))
    func `a transfer that starts over reports nothing until it exceeds the earlier progress`() {
        var meter = TransferMeter(.download)
        #expect(meter.advance(to: 0, of: 100)?.fraction == 0)
        #expect(meter.advance(to: 60, of: 100)?.fraction == 0.6)
        #expect(meter.advance(to: 0, of: 100) == nil)
        #expect(meter.advance(to: 60, of: 100) == nil)
        #expect(meter.advance(to: 61, of: 100)?.bytes == 61)
    }

    @Test(.rows("S1-41"))
    func `a file that has become longer makes no fraction go back`() {
        var meter = TransferMeter(.download)
        #expect(meter.advance(to: 50, of: 100)?.fraction == 0.5)
        #expect(meter.advance(to: 60, of: 200) == nil)
        #expect(meter.advance(to: 100, of: 200)?.fraction == 0.5)
    }

    @Test(.rows("S1-41"))
    func `the end is a fraction of 1, reported once`() {
        var meter = TransferMeter(.download)
        #expect(meter.advance(to: 100, of: 100)?.fraction == 1)
        #expect(meter.finish(at: 100) == nil)
        var blind = TransferMeter(.download)
        #expect(blind.advance(to: 100, of: nil)?.fraction == nil)
        #expect(blind.finish(at: 100)?.fraction == 1)
    }

    // MARK: Uploads

    @Test(.rows("S1-40", "S1-41"))
    func `an upload tells how far it is, and goes forwards when it is sent twice`()
        async throws
    {
        let folder = try DownloadFolder()
        try folder.write(LoopbackPattern.bytes(0..<600_000), to: "file")
        let sends = Locked(0)
        let session = MockSession { request in
            let bytes = try await request.body.collect()
            #expect(bytes.count == 600_000)
            let isFirst = sends.withLock {
                $0 += 1; return $0 == 1
            }
            return HTTPResponse(isFirst ? .serviceUnavailable : .created, to: request)
        }.with(Retry(RetryPolicy.standard.quick))
        let log = Locked([HTTPTransferProgress]())
        let response = try await session.upload(
            file: folder.file(), with: HTTPRequest(.put, "https://h/f")
        ) { progress in
            log.withLock { $0.append(progress) }
        }
        #expect(response.status == .created)
        #expect(sends.withLock { $0 } == 2)
        let progress = log.withLock { $0 }
        #expect(progress.allSatisfy { $0.kind == .upload && $0.length == 600_000 })
        let steps = Array(stride(from: Int64(65_536), to: 600_000, by: 65_536)) + [600_000]
        #expect(progress.map(\.bytes) == steps)
        #expect(progress.last?.fraction == 1)
    }

    @Test(.rows("S1-41"))
    func `an empty upload is at its end at once`() async throws {
        let folder = try DownloadFolder()
        try folder.write([], to: "file")
        let log = Locked([HTTPTransferProgress]())
        _ = try await MockSession { HTTPResponse(.created, to: $0) }.upload(
            file: folder.file(), with: HTTPRequest(.put, "https://h/f")
        ) { progress in log.withLock { $0.append(progress) } }
        #expect(log.withLock { $0.map(\.fraction) } == [1])
    }

    @Test func `a path without a file cannot be uploaded`() async throws {
        let session = MockSession { HTTPResponse(.created, to: $0) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.upload(file: "/no/such", with: HTTPRequest(.put, "https://h/f"))
        }
        #expect(error?.code == .invalidRequest)
        #expect(session.requests.isEmpty)
    }
}

extension RetryPolicy {
    fileprivate var quick: Self {
        var policy = self
        policy.backoff = .constant(.zero)
        return policy
    }
}
