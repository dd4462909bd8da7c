import Testing

@testable import InternationalDomainNames

@Suite struct PackedNumbersTests {
    /// Numbers of several lengths, as `Scripts/packed_numbers.py` writes them.
    private static let written: [(String, [Int])] = [
        ("%q", [0]), ("'<", [1]), ("2M/", [44]), ("D3)Z", [3411]), ("ZZ?>&", [814_949]),
        ("fe9no3", [12_255_232]), ("", []),
        (
            "%x+RW3GyLU;{q~3+i(ZV>`y$tnw577'",
            [0, 1, 44, 45, 135, 3411, 3412, 61378, 61379, 814_949, 814_950, 12_255_232]
        ),
    ]

    @Test(arguments: written)
    func `a text has the numbers that the script wrote`(text: String, numbers: [Int]) {
        #expect(Array(PackedNumbers(text)) == numbers)
    }

    @Test func `the end of the numbers stays the end`() {
        var numbers = PackedNumbers("%q")
        #expect((0..<100).compactMap { _ in numbers.next() } == [0])
    }

    @Test func `even numbers stand for those from zero on, odd ones for those below`() {
        var numbers = PackedNumbers("%wo4Sf")
        #expect((0..<6).map { _ in numbers.nextSigned() } == [0, -1, 1, -2, 2, nil])
    }
}
