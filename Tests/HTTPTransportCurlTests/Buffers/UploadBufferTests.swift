import HTTPCore
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct UploadBufferTests {
    /// Reads once into space for `count` bytes.
    private static func read(
        _ buffer: inout UploadBuffer, _ count: Int
    ) -> (reading: UploadBuffer.Reading, bytes: [UInt8]) {
        var space = [UInt8](repeating: 0, count: count)
        let reading = unsafe space.withUnsafeMutableBytes { unsafe buffer.read(into: $0) }
        if case .copied(let copied) = reading { return (reading, Array(space[..<copied])) }
        return (reading, [])
    }

    @Test func `bytes come out in order through any space`() throws {
        for size in 1...12 {
            var buffer = UploadBuffer(declaredLength: nil)
            for piece in [[1, 2, 3], [4], [], [5, 6, 7, 8, 9]] as [[UInt8]] {
                _ = try buffer.append(Data(piece))
            }
            _ = try buffer.finish()
            var bytes: [UInt8] = []
            while case let (.copied(count), piece) = Self.read(&buffer, size) {
                #expect(count == min(size, 9 - bytes.count))
                bytes += piece
            }
            #expect(bytes == Array(1...9))
            #expect(Self.read(&buffer, size).reading == .end)
        }
    }

    @Test func `a slice of data is read from its start`() throws {
        var buffer = UploadBuffer(declaredLength: 3)
        _ = try buffer.append(Data([0, 1, 2, 3, 4])[2...])
        _ = try buffer.finish()
        #expect(Self.read(&buffer, 2).bytes == [2, 3])
        #expect(Self.read(&buffer, 2).bytes == [4])
    }

    @Test func `the loop is told once after it found nothing`() throws {
        var buffer = UploadBuffer(declaredLength: nil)
        #expect(try buffer.append(Data([1])) == false, "nothing waits")
        #expect(Self.read(&buffer, 8).reading == .copied(1))
        #expect(Self.read(&buffer, 8).reading == .wait)
        #expect(Self.read(&buffer, 8).reading == .wait)
        #expect(try buffer.append(Data()) == false, "nothing came")
        #expect(try buffer.append(Data([2])) == true)
        #expect(try buffer.append(Data([3])) == false, "it was told")
        #expect(Self.read(&buffer, 8).bytes == [2, 3])
        #expect(Self.read(&buffer, 8).reading == .wait)
        #expect(try buffer.finish() == true)
        #expect(Self.read(&buffer, 8).reading == .end)
    }

    @Test(arguments: [(0, false), (1, false), (524_287, false), (524_288, true), (600_000, true)])
    func `is full at its mark`(count: Int, isFull: Bool) throws {
        var buffer = UploadBuffer(declaredLength: nil)
        _ = try buffer.append(Data(count: count))
        #expect(buffer.isFull == isFull)
        _ = Self.read(&buffer, count)
        #expect(!buffer.isFull)
    }

    @Test func `a producer that waits goes on when little is left`() throws {
        var buffer = UploadBuffer(declaredLength: nil)
        _ = try buffer.append(Data(count: UploadBuffer.highWater))
        _ = Self.read(&buffer, UploadBuffer.highWater - 131_073)
        #expect(!buffer.isFull)
        #expect(!buffer.isLow)
        _ = Self.read(&buffer, 1)
        #expect(buffer.isLow)
    }

    @Test(arguments: [0, 1, 5] as [Int64])
    func `a kept length ends well`(length: Int64) throws {
        var buffer = UploadBuffer(declaredLength: length)
        for _ in 0..<length { _ = try buffer.append(Data([1])) }
        _ = try buffer.append(Data())
        _ = try buffer.finish()
        #expect(buffer.isFinished)
    }

    @Test func `a body shorter than declared fails`() throws {
        var buffer = UploadBuffer(declaredLength: 5)
        _ = try buffer.append(Data([1, 2, 3, 4]))
        let error = try #require(#expect(throws: HTTPError.self) { try buffer.finish() })
        #expect(error.code == .requestBodyFailed)
        #expect(error.message.contains("4") && error.message.contains("5"))
        #expect(!buffer.isFinished)
    }

    @Test func `the last declared byte waits for the producer's end`() throws {
        var buffer = UploadBuffer(declaredLength: 3)
        _ = try buffer.append(Data([1, 2, 3]))
        #expect(Self.read(&buffer, 8).bytes == [1, 2])
        #expect(Self.read(&buffer, 8).reading == .wait)
        #expect(try buffer.finish() == true)
        #expect(Self.read(&buffer, 8).bytes == [3])
        #expect(Self.read(&buffer, 8).reading == .end)
    }

    @Test(arguments: [[6], [5, 1], [1, 1, 1, 1, 1, 1]])
    func `a body longer than declared fails before the surplus can be read`(
        counts: [Int]
    ) throws {
        var buffer = UploadBuffer(declaredLength: 5)
        let error = try #require(
            #expect(throws: HTTPError.self) {
                for count in counts { _ = try buffer.append(Data(count: count)) }
            })
        #expect(error.code == .requestBodyFailed)
        #expect(Self.read(&buffer, 100).bytes.count <= 5)
    }

    @Test func `a buffer that is never empty does not grow`() throws {
        var buffer = UploadBuffer(declaredLength: nil)
        _ = try buffer.append(Data(count: 3))
        for _ in 0..<10_000 {
            _ = try buffer.append(Data([1]))
            #expect(Self.read(&buffer, 1).reading == .copied(1))
        }
        #expect(places(in: buffer) < 200)
    }
}
