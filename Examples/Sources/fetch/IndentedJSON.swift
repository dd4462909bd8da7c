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

    /// The bytes that are held back.
    private(set) var bytes = Data()
    private var isTooLong = false

    /// Returns the bytes that are not held back: none, unless the body is too long.
    mutating func add(_ piece: Data) -> Data {
        if isTooLong { return piece }
        bytes.append(piece)
        guard bytes.count > Self.limit else { return Data() }
        isTooLong = true
        defer { bytes = Data() }
        return bytes
    }

    /// The held bytes: indented, or unchanged if they are not JSON.
    var text: Data {
        guard let json = try? HTTPJSON(parsing: bytes), let text = try? json.indented() else {
            return bytes
        }
        return Data((text + "\n").utf8)
    }
}

extension HTTPJSON {
    /// Returns the text with a line for each element and member, in their order.
    func indented(_ margin: String = "") throws(HTTPError) -> String {
        let inner = margin + "  "
        var lines: [String] = []
        switch self {
        case .array(let elements) where !elements.isEmpty:
            for element in elements { lines.append(inner + (try element.indented(inner))) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(margin)]"
        case .object(let members) where !members.isEmpty:
            for (name, value) in members {
                let name = try HTTPJSON.string(name).indented()
                lines.append("\(inner)\(name): \(try value.indented(inner))")
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        default:
            return String(decoding: try serialized(), as: UTF8.self)
        }
    }
}
