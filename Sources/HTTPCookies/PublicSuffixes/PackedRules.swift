/// The rules of a ``PublicSuffixList`` as one text.
///
/// There is one entry per domain that has rules. It has the labels of the domain from the right,
/// `uk.co`, and a mark for the kind of its rules. Entries are sorted. Each 32 of them are a block,
/// and a space separates blocks. The first entry of a block is in full; before each other one, a
/// capital letter is the number of bytes that it shares with its predecessor, `A` for none. After
/// the first entry of a block, a symbol stands for a string of `PublicSuffixTable.abbreviations`.
enum PackedRules {
    enum Kind: UInt8 {
        /// The domain is a public suffix; an entry without a mark.
        case suffix = 0
        /// The domains directly below this one are public suffixes.
        case wildcard = 0x2A  // *
        /// The domain and those directly below it are public suffixes.
        case both = 0x2B  // +
        /// The domain is not a public suffix, although a wildcard says so.
        case exception = 0x21  // !
    }

    private static let blockLength = 32
    private static let mostShared = 25
    private static let separator = UInt8(ascii: " ")

    static let symbols =
        "#$%&'(),/:;<=>?@[]^`{|}~¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿"
        + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"

    /// The strings that symbols stand for, by the scalar of a symbol, which is below U+0100. Each
    /// string may contain the symbols before its own.
    private static let abbreviations: [[UInt8]?] = {
        var strings = [[UInt8]?](repeating: nil, count: 256)
        let spelled = PublicSuffixTable.abbreviations.unicodeScalars.split(separator: " ")
        for (symbol, string) in zip(symbols.unicodeScalars, spelled) {
            strings[Int(symbol.value)] = string.flatMap {
                strings[Int($0.value)] ?? [UInt8(truncatingIfNeeded: $0.value)]
            }
        }
        return strings
    }()

    /// Returns the kind of a domain's rules, or `nil` if there are none.
    ///
    /// - Parameters:
    ///   - key: The labels of the domain from the right, joined by dots.
    ///   - text: The rules.
    static func kind(of key: [UInt8], in text: Span<UInt8>) -> Kind? {
        guard !key.isEmpty else { return nil }
        // The last block that does not begin after the key begins in `low..<high`.
        var (low, high) = (0, text.count)
        while low < high {
            let start = blockStart(around: low + (high - low) / 2, in: text)
            if isKey(key, beforeEntryAt: start, in: text) {
                high = start
            } else if let next = nextBlock(after: start, in: text), next < high {
                if isKey(key, beforeEntryAt: next, in: text) {
                    return kind(of: key, inBlockAt: start, in: text)
                }
                low = next
            } else {
                return kind(of: key, inBlockAt: start, in: text)
            }
        }
        return nil
    }

    private static func blockStart(around index: Int, in text: Span<UInt8>) -> Int {
        var start = index
        while start > 0, text[start - 1] != separator { start -= 1 }
        return start
    }

    private static func nextBlock(after start: Int, in text: Span<UInt8>) -> Int? {
        var index = start
        while index < text.count, text[index] != separator { index += 1 }
        return index + 1 < text.count ? index + 1 : nil
    }

    /// Returns `true` if `key` sorts before the entry in full at `start`.
    private static func isKey(
        _ key: [UInt8], beforeEntryAt start: Int, in text: Span<UInt8>
    ) -> Bool {
        var index = start
        for byte in key {
            guard index < text.count, isOfKey(text[index]) else { return false }
            if byte != text[index] { return byte < text[index] }
            index += 1
        }
        return index < text.count && isOfKey(text[index])
    }

    private static func kind(
        of key: [UInt8], inBlockAt start: Int, in text: Span<UInt8>
    ) -> Kind? {
        let block = block(at: start, in: text)
        // The number of bytes in which `key` and the current entry agree.
        var agreed = 0
        var index = 0
        var shared = 0
        while true {
            // The letters shared with the entry before were compared with the key there.
            var length = shared
            let mayAgree = agreed >= shared
            if mayAgree { agreed = shared }
            while index < block.count, isOfKey(block[index]) {
                if mayAgree, agreed == length, agreed < key.count, key[agreed] == block[index] {
                    agreed += 1
                }
                (index, length) = (index + 1, length + 1)
            }
            var kind = Kind.suffix
            if index < block.count, let marked = Kind(rawValue: block[index]) {
                kind = marked
                index += 1
            }
            if agreed == key.count, length == key.count { return kind }
            guard index < block.count else { return nil }
            shared = Int(block[index]) - Int(UInt8(ascii: "A"))
            index += 1
        }
    }

    /// Returns the block at `start` without abbreviations.
    private static func block(at start: Int, in text: Span<UInt8>) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(512)
        var index = start
        while index < text.count, text[index] != separator {
            var scalar = text[index]
            if scalar >= 0x80 {
                index += 1
                scalar = scalar << 6 | text[index] & 0x3F
            }
            if let string = abbreviations[Int(scalar)] {
                block += string
            } else {
                block.append(scalar)
            }
            index += 1
        }
        return block
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

// MARK: - Writing

extension PackedRules {
    /// Returns the text of rules in the list's notation, or `nil` if one is malformed.
    ///
    /// - Parameter rules: Rules in A-labels and in lower case.
    static func text(of rules: [String]) -> String? {
        var kinds: [[UInt8]: Kind] = [:]
        for rule in rules {
            var name = rule[...]
            var kind = Kind.suffix
            if name.hasPrefix("!") {
                (name, kind) = (name.dropFirst(), .exception)
            } else if name.hasPrefix("*.") {
                (name, kind) = (name.dropFirst(2), .wildcard)
            }
            let labels = name.utf8.split(
                separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isOfKey) }) else { return nil }
            let key = Array(labels.reversed().map(Array.init).joined(separator: [0x2E]))
            switch (kinds[key], kind) {
            case (nil, _): kinds[key] = kind
            case (let known?, _) where known == kind: break
            case (.exception?, _), (_, .exception): return nil
            default: kinds[key] = .both
            }
        }
        let keys = kinds.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var text: [UInt8] = []
        for (index, key) in keys.enumerated() {
            var shared = 0
            if !index.isMultiple(of: blockLength) {
                let previous = keys[index - 1]
                shared = zip(previous, key).prefix(mostShared).prefix { $0 == $1 }.count
                text.append(UInt8(ascii: "A") + UInt8(shared))
            } else if index > 0 {
                text.append(separator)
            }
            text += key[shared...]
            if let kind = kinds[key], kind != .suffix { text.append(kind.rawValue) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
