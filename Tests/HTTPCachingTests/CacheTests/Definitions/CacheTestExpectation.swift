/// An expectation about a field of a request or a response.
enum CacheTestExpectation: Decodable, Sendable {
    case present(String)
    case value(CacheTestField)
    /// The field has the same value as another field.
    case same(String, as: String)
    /// The field is a number above a limit.
    case above(String, Int)

    init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .present(name)
            return
        }
        var values = try decoder.unkeyedContainer()
        guard values.count == 3 else {
            self = .value(try CacheTestField(from: decoder))
            return
        }
        let name = try values.decode(String.self)
        switch try values.decode(String.self) {
        case "=": self = .same(name, as: try values.decode(String.self))
        case ">": self = .above(name, try values.decode(Int.self))
        default:
            throw DecodingError.dataCorruptedError(
                in: values, debugDescription: "an unknown operator for an expected field")
        }
    }
}
