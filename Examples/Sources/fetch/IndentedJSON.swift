import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A collector of JSON, to show it with indentation.
struct IndentedJSON {
    /// The largest size in bytes that is indented. A longer body is not held back.
    static let limit = 1 << 20

    private let palette: Palette
    /// The bytes that are held back.
    private(set) var bytes = Data()
    private var isTooLong = false

    init(palette: Palette = .plain) { self.palette = palette }

    /// Returns the bytes that are not held back: none, unless the body is too long.
    mutating func add(_ piece: Data) -> Data {
        if isTooLong { return piece }
        bytes.append(piece)
        guard bytes.count > Self.limit else { return Data() }
        isTooLong = true
        defer { bytes = Data() }
        return bytes
    }

    /// The held bytes: indented and coloured, or unchanged if they are not JSON.
    var text: Data {
        guard let json = try? HTTPJSON(parsing: bytes), let text = try? json.indented(palette)
        else {
            return bytes
        }
        return Data((text + "\n").utf8)
    }
}

extension HTTPJSON {
    /// Returns the text with a line for each element and member, in their order.
    func indented(_ palette: Palette, _ margin: String = "") throws(HTTPError) -> String {
        let inner = margin + "  "
        var lines: [String] = []
        switch self {
        case .array(let elements) where !elements.isEmpty:
            for element in elements {
                lines.append(inner + (try element.indented(palette, inner)))
            }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(margin)]"
        case .object(let members) where !members.isEmpty:
            for (name, value) in members {
                let name = palette.paint(try HTTPJSON.string(name).text, .name)
                lines.append("\(inner)\(name): \(try value.indented(palette, inner))")
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        case .array, .object: return try text
        case .string: return palette.paint(try text, .string)
        case .number: return palette.paint(try text, .number)
        case .bool, .null: return palette.paint(try text, .literal)
        }
    }

    private var text: String {
        get throws(HTTPError) { String(decoding: try serialized(), as: UTF8.self) }
    }
}
