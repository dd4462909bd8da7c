import Testing

@testable import HTTPTransportCurl

@Suite struct BlockPoolTests {
    @Test func `a block that came back is used again`() {
        let pool = BlockPool()
        let block = pool.take(100_000)
        let base = unsafe UInt(bitPattern: block.base)
        pool.giveBack(block)
        let next = pool.take(70_000)
        #expect(unsafe UInt(bitPattern: next.base) == base, "as many bytes as a power of two")
        let other = pool.take(70_000)
        #expect(unsafe UInt(bitPattern: other.base) != base, "it is in use")
        pool.giveBack(next)
        pool.giveBack(other)
    }

    @Test(arguments: [
        (1, 1), (1024, 1024), (16_383, 16_383), (16_384, 16_384), (16_385, 32_768),
        (1 << 20, 1 << 20), ((1 << 20) + 1, 1 << 21),
    ])
    func `little is allocated to the byte, more in powers of two`(bytes: Int, capacity: Int) {
        let pool = BlockPool()
        let block = pool.take(bytes)
        #expect(block.capacity == capacity)
        pool.giveBack(block)
    }

    @Test(arguments: [1000, 100_000, 2 << 20, 3 << 20])
    func `a block that grows keeps its bytes`(bytes: Int) {
        let pool = BlockPool()
        var block = pool.take(bytes)
        for index in 0..<bytes {
            unsafe block.base.storeBytes(
                of: UInt8(truncatingIfNeeded: index * 31), toByteOffset: index, as: UInt8.self)
        }
        let old = block.capacity
        for factor in [2, 4] {
            block = pool.grow(block, keeping: bytes, to: old * factor)
            #expect(block.capacity >= old * factor)
        }
        let isKept = (0..<bytes).allSatisfy {
            unsafe block.base.load(fromByteOffset: $0, as: UInt8.self)
                == UInt8(truncatingIfNeeded: $0 * 31)
        }
        #expect(isKept)
        let unused = pool.unusedBytes
        pool.giveBack(block)
        #expect(pool.unusedBytes <= 2 << 20 && pool.unusedBytes >= unused)
    }

    @Test func `what lies unused is bounded`() {
        let pool = BlockPool()
        let blocks = (0..<5).map { _ in pool.take(1 << 20) }
        for block in blocks { pool.giveBack(block) }
        #expect(pool.unusedBytes == 2 << 20)
        pool.giveBack(pool.take(10))
        #expect(pool.unusedBytes == 2 << 20, "little is the allocator's")
    }
}
