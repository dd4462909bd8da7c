import Testing

@testable import InternationalDomainNames

@Suite struct PackedNumbersTests {
    /// The first and the last number of each length, as `Scripts/packed_numbers.py` writes them.
    private static let written: [(String, Int)] = [
        ("#", 0), ("$", 1), ("O", 44), ("P#", 45), ("P~", 135), ("u~", 3411),
        ("v##", 3412), ("|~~", 61378), ("}###", 61379), ("}~~~", 814949),
        ("~####", 814950), ("~23QF", 12255232),
    ]

    @Test(arguments: written)
    func `a number has as many digits as its first one says`(text: String, number: Int) {
        #expect(Array(PackedNumbers(text)) == [number])
    }

    @Test func `numbers follow one another without a mark between them`() {
        let text = Self.written.map(\.0).joined()
        #expect(Array(PackedNumbers(text)) == Self.written.map(\.1))
        #expect(Array(PackedNumbers("")).isEmpty)
    }

    @Test func `even numbers stand for those from zero on, odd ones for those below`() {
        var numbers = PackedNumbers("#$%&'")
        #expect((0..<6).map { _ in numbers.nextSigned() } == [0, -1, 1, -2, 2, nil])
    }
}
