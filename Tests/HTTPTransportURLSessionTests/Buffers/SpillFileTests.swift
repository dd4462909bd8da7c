import Foundation
import HTTPCore
import Testing

@testable import HTTPTransportURLSession

@Suite struct SpillFileTests {
    @Test func `what was written is read back, at any offset`() throws {
        let file = try SpillFile()
        try file.write(Data("hello".utf8), at: 0)
        try file.write(Data("world".utf8), at: 5)
        #expect(try file.read(at: 3, count: 4) == Data("lowo".utf8))
        #expect(try file.read(at: 8, count: 100) == Data("ld".utf8))
    }

    @Test func `reading past the end is an error, not an endless loop`() throws {
        let file = try SpillFile()
        let error = #expect(throws: HTTPError.self) { try file.read(at: 0, count: 1) }
        #expect(error?.code == .fileNotWritten)
    }
}

@Suite struct BodySpoolTests {
    @Test(arguments: [0, 1, BodySpool.memoryLimit, BodySpool.memoryLimit + 1, 1_000_000])
    func `a body is kept in memory up to 128 KiB, in a file beyond`(count: Int) async throws {
        let bytes = Pattern.bytes(count)
        let spool = try await BodySpool(taking: stream(bytes, pieces: 10_000))
        #expect(spool.count == Int64(count))
        switch spool {
        case .empty: #expect(count == 0)
        case .memory(let data): #expect(data == bytes && count <= BodySpool.memoryLimit)
        case .file(let file, _):
            #expect(count > BodySpool.memoryLimit)
            #expect(try file.read(at: 0, count: count) == bytes)
        }
    }

    @Test(arguments: [4, 6])
    func `a body of another length than it claims is refused`(count: Int) async throws {
        let body = stream(Data(count: count), pieces: 1, length: 5)
        let error = await #expect(throws: HTTPError.self) { try await BodySpool(taking: body) }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.mayHaveReachedServer == false)
    }

    private func stream(_ bytes: Data, pieces: Int, length: Int64? = nil) -> HTTPBody {
        HTTPBody(
            AsyncStream<Data> { continuation in
                var rest = bytes
                while !rest.isEmpty {
                    continuation.yield(rest.prefix(pieces))
                    rest = rest.dropFirst(pieces)
                }
                continuation.finish()
            }, length: length)
    }
}
