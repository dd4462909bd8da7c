import HTTPCore
import HTTPFormats

/// A field in a definition, whose value may depend on the time and on the URL of the test.
struct CacheTestField: Decodable, Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        /// A date that many seconds from the origin's current time.
        case number(Int)

        var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): "\(number)"
            }
        }
    }

    let name: String
    var value: Value
    /// `true` if the client must see the value that the origin has sent.
    let isChecked: Bool

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
        self.isChecked = true
    }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        name = try values.decode(String.self)
        if let number = try? values.decode(Int.self) {
            value = .number(number)
        } else {
            value = .text(try values.decode(String.self))
        }
        isChecked = values.isAtEnd ? true : try values.decode(Bool.self)
    }

    private static let dates: Set<String> = [
        "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
    ]
    private static let locations: Set<String> = ["location", "content-location"]

    /// Returns the value to send, or to expect, in an exchange of `request`.
    ///
    /// - Parameter fields: The fields of the origin's response, which say what time it is there and
    ///   for which URL it was asked.
    func resolved(by fields: CacheTestFields, for request: CacheTestRequest) -> String {
        let key = name.lowercased()
        if case .number(let seconds) = value, Self.dates.contains(key) {
            guard let now = fields.number("Server-Now") else { return "Invalid Date" }
            let date = HTTPDate(secondsSince1970: now / 1000 + seconds)
            return request.fieldsInRFC850Form.contains(key) ? date.inRFC850Form : "\(date)"
        }
        if Self.locations.contains(key), request.completesLocations {
            let base = fields["Server-Base-Url"] ?? "undefined"
            return value.text.isEmpty ? base : "\(base)/\(value.text)"
        }
        return value.text
    }
}

extension HTTPDate {
    /// The obsolete form `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 9110 §5.6.7).
    fileprivate var inRFC850Form: String {
        let days = [
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
        ]
        // Sun, 06 Nov 1994 08:49:37 GMT
        let parts = description.split(separator: " ")
        guard parts.count == 6, let day = days.first(where: { $0.hasPrefix(parts[0].prefix(3)) })
        else { return description }
        return "\(day), \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) GMT"
    }
}
