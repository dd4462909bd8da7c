/// A path as servers may read it.
///
/// Servers differ. Some decode a path before they split it into segments, some take `\` for `/`,
/// some merge slashes, and some drop what follows a `;`. A path is only used if no reading of it
/// leads elsewhere.
package struct RoutePath {
    private let segments: [ArraySlice<UInt8>]

    package init(_ path: Substring) {
        segments = Array(path.utf8).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The readings of a piece of a segment.
    private enum Piece {
        case empty, here, up, name

        init(_ bytes: some Collection<UInt8>) {
            switch String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case "": self = .empty
            case ".": self = .here
            case "..": self = .up
            default: self = .name
            }
        }
    }

    /// Returns the pieces of a segment: more than one if it has an encoded slash or a backslash.
    private static func pieces(of segment: ArraySlice<UInt8>) -> [Piece] {
        segment.percentDecoded().split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }.map(Piece.init)
    }

    /// `true` if the path may lead above the place to which it is appended.
    var leadsAbove: Bool {
        var depth = 0
        for segment in segments {
            let pieces = Self.pieces(of: segment)
            let ups = pieces.count { $0 == .up }
            if ups > 0 {
                depth -= ups
            } else if pieces.contains(.name) {
                depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }
}

// MARK: - Values

extension RoutePath {
    /// A part of the text of a URL that the value of a variable fills.
    package struct Value {
        /// The bytes of the text.
        let range: Range<Int>
        /// `true` if the segment must not be empty.
        let isRequired: Bool
        /// The variable, for an error.
        let name: String?

        package init(_ range: Range<Int>, isRequired: Bool = true, name: String? = nil) {
            (self.range, self.isRequired, self.name) = (range, isRequired, name)
        }
    }

    /// Checks that each value is a part of the segment of the path that it was written into.
    ///
    /// - Parameter text: A URL, absolute or relative.
    /// - Throws: `invalidRequest` if a segment that has a part from a value is a dot segment in any
    ///   reading, or is empty although the value is required.
    package static func check(
        _ values: [Value], in text: String
    ) throws(HTTPError) {
        guard !values.isEmpty else { return }
        let path = Route(text).path
        var end = text.utf8.distance(from: text.startIndex, to: path.startIndex) - 1
        for segment in RoutePath(path).segments {
            let begin = end + 1
            end = begin + segment.count
            for value in values
            where value.range.lowerBound <= end && value.range.upperBound >= begin {
                if segment.isEmpty, value.isRequired { throw refusal(of: value, "is empty") }
                if pieces(of: segment).contains(where: { $0 == .here || $0 == .up }) {
                    throw refusal(of: value, "makes a . or .. segment")
                }
            }
        }
    }

    private static func refusal(of value: Value, _ reason: String) -> HTTPError {
        let subject = value.name.map { "the variable \($0.logSafe)" } ?? "the value of a variable"
        return HTTPError(
            .invalidRequest,
            "\(subject) in the path of the URL \(reason), and would lead to another path: check "
                + "the value first")
    }
}
