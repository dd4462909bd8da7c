import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct ReceiveBufferTests {
    /// Appends `count` bytes, as libcurl would in one call.
    private func append(
        _ count: Int, of byte: UInt8 = 0x61, to buffer: inout ReceiveBuffer,
        expecting: Int64? = nil
    ) {
        let bytes = [UInt8](repeating: byte, count: count)
        unsafe bytes.withUnsafeBytes { unsafe buffer.append($0, expecting: expecting) }
    }

    @Test(arguments: [1, 1024, 16 << 10, 100_000, 300_000])
    func `bytes come out as they went in`(count: Int) {
        var buffer = ReceiveBuffer(BlockPool())
        append(count, of: 1, to: &buffer)
        append(count, of: 2, to: &buffer)
        #expect(buffer.count == 2 * count)
        let taken = buffer.take()
        #expect(
            taken == Data(repeating: 1, count: count) + Data(repeating: 2, count: count))
        #expect(buffer.count == 0 && buffer.take().isEmpty)
    }

    @Test func `a piece keeps its bytes while its block is used for others`() {
        let pool = BlockPool()
        var buffer = ReceiveBuffer(pool)
        append(40_000, of: 1, to: &buffer)
        let first = buffer.take()
        append(40_000, of: 2, to: &buffer)
        let second = buffer.take()
        append(40_000, of: 3, to: &buffer)
        #expect(first == Data(repeating: 1, count: 40_000))
        #expect(second == Data(repeating: 2, count: 40_000))
        #expect(buffer.take() == Data(repeating: 3, count: 40_000))
    }

    @Test func `the block of a piece comes back when its reader lets go of it`() {
        let pool = BlockPool()
        var buffer = ReceiveBuffer(pool)
        append(100_000, to: &buffer, expecting: 100_000)
        var piece: Data? = buffer.take()
        #expect(pool.unusedBytes == 0)
        #expect(piece?.count == 100_000)
        piece = nil
        #expect(pool.unusedBytes == 128 << 10)
    }

    @Test func `a block with little in it is kept`() {
        let pool = BlockPool()
        var buffer = ReceiveBuffer(pool)
        append(10, to: &buffer)
        let piece = buffer.take()
        #expect(piece.count == 10)
        append(10, to: &buffer)
        #expect(pool.unusedBytes == 0, "neither given back nor handed over")
        #expect(buffer.take().count == 10)
    }

    @Test func `the block comes back with its buffer`() {
        let pool = BlockPool()
        do {
            var buffer = ReceiveBuffer(pool)
            append(10, to: &buffer)
        }
        #expect(pool.unusedBytes == 16 << 10)
    }

    @Test(arguments: [Int64.max, 1 << 40])
    func `an announced length that is too large to hold is not trusted`(length: Int64) {
        var buffer = ReceiveBuffer(BlockPool())
        append(10, to: &buffer, expecting: length)
        append(10, to: &buffer, expecting: length)
        #expect(buffer.take() == Data(repeating: 0x61, count: 20))
    }
}
