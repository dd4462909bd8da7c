import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Collects JSON to show it as people read it.
struct IndentedJSON {
    /// Beyond it nobody reads, and a terminal is not to wait.
    static let limit = 1 << 20

    /// What is held back.
    private(set) var bytes = Data()
    private var isTooLong = false

    /// Returns what is not held back: nothing, unless there is too much of it.
    mutating func add(_ piece: Data) -> Data {
        if isTooLong { return piece }
        bytes.append(piece)
        guard bytes.count > Self.limit else { return Data() }
        isTooLong = true
        defer { bytes = Data() }
        return bytes
    }

    /// What was held back: indented, or as it came if it is no JSON.
    var text: Data {
        guard let json = try? HTTPJSON(parsing: bytes), let text = try? json.indented() else {
            return bytes
        }
        return Data((text + "\n").utf8)
    }
}

extension HTTPJSON {
    /// A line for each element and member, in the order that they have.
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
