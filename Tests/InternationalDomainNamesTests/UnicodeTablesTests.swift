import InternationalDomainNames
import TestSupport
import HTTPCore
import Testing

/// Tests that compare the tables with every line of Unicode's own files.
@Suite(
    .enabled(if: StandardsData.isAvailable, StandardsData.whySkipped), .timeLimit(.minutes(5)))
struct UnicodeTablesTests {
    /// The fields of the lines of a file, comments left out.
    private func lines(_ file: String) throws -> [[String]] {
        String(decoding: try StandardsData.file("unicode/" + file), as: UTF8.self)
            .split(separator: "\n").compactMap { line in
                let text = line.prefix { $0 != "#" }
                guard text.contains(";") else { return nil }
                return text.split(separator: ";", omittingEmptySubsequences: false)
                    .map { String($0).trimmingBlanks }
            }
    }

    private func scalars(_ text: String) throws -> [Unicode.Scalar] {
        try text.split(separator: " ").map {
            try #require(UInt32($0, radix: 16).flatMap(Unicode.Scalar.init))
        }
    }

    /// `nil` for a surrogate.
    private func scalar(_ text: String) -> Unicode.Scalar? {
        UInt32(text, radix: 16).flatMap(Unicode.Scalar.init)
    }

    private func range(_ text: String) throws -> ClosedRange<UInt32> {
        let ends = text.split(separator: ".").compactMap { UInt32($0, radix: 16) }
        return try #require(ends.first)...#require(ends.last)
    }

    @Test func `every code point has the mapping of UTS 46`() throws {
        var count = 0
        for fields in try lines("IdnaMappingTable.txt") {
            let expected: ScalarMapping.Target =
                switch fields[1] {
                case "valid", "deviation", "disallowed_STD3_valid": .valid
                case "ignored": .replaced(by: [])
                case "disallowed": .disallowed
                default: .replaced(by: try scalars(fields[2]))
                }
            let range = try range(fields[0])
            var wrong: [UInt32] = []
            for value in range where value < 0xE0200 || value == range.upperBound {
                guard let scalar = Unicode.Scalar(value) else { continue }
                if ScalarMapping.uts46[scalar] != expected { wrong.append(value) }
                count += 1
            }
            #expect(wrong.isEmpty, "\(fields): \(wrong.prefix(5))")
        }
        #expect(count > 900_000)
    }

    @Test func `every code point that a label may hold has its Bidi_Class`() throws {
        let names: [String: BidiClass] = [
            "L": .leftToRight, "R": .rightToLeft, "AL": .arabicLetter, "AN": .arabicNumber,
            "EN": .europeanNumber, "ES": .europeanSeparator, "CS": .commonSeparator,
            "ET": .europeanTerminator, "ON": .otherNeutral, "BN": .boundaryNeutral,
            "NSM": .nonspacingMark,
        ]
        var wrong: [String] = []
        for fields in try lines("UnicodeData.txt") {
            guard let scalar = scalar(fields[0]), scalar.value > 0x20,
                ScalarMapping.uts46[scalar] == .valid
            else { continue }
            if BidiClass.table[scalar] != names[fields[4]] { wrong.append(fields[0]) }
        }
        #expect(wrong.isEmpty)
    }

    /// The other joining types come from a file that is not among the data.
    @Test func `every mark that a label may hold is transparent to joining`() throws {
        var wrong: [String] = []
        for fields in try lines("UnicodeData.txt") where ["Mn", "Me"].contains(fields[2]) {
            let scalar = try #require(try scalars(fields[0]).first)
            guard ScalarMapping.uts46[scalar] == .valid else { continue }
            if JoiningType.table[scalar] != .transparent { wrong.append(fields[0]) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `every canonical composite is composed, and no other`() throws {
        let excluded = try lines("DerivedNormalizationProps.txt")
            .filter { $0[1] == "Full_Composition_Exclusion" }.map { try range($0[0]) }
        var count = 0
        for fields in try lines("UnicodeData.txt")
        where !fields[5].isEmpty && !fields[5].hasPrefix("<") {
            let scalar = try #require(try scalars(fields[0]).first)
            let isExcluded = excluded.contains { $0.contains(scalar.value) }
            let composed = Normalization.composed(try scalars(fields[5]))
            #expect((composed == [scalar]) != isExcluded, "\(fields[0])")
            if !isExcluded { #expect(Normalization.composed([scalar]) == [scalar], "\(fields[0])") }
            count += 1
        }
        #expect(count > 2000)
    }
}
