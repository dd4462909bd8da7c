public import HTTPCore
public import PortableFoundation

extension HTTPRequest {
    /// Returns this request with the value, encoded now, as its body. Members are sorted by name,
    /// so that equal values give equal bytes. Sets `Content-Type: application/json` if the request
    /// has none.
    ///
    /// An `HTTPJSON` is written unchanged, including the digits of its numbers, and without
    /// `encoder`.
    ///
    /// - Throws: `encodingFailed` with the encoder's error inside, for example for an infinite
    ///   number.
    public func json(
        _ value: some Encodable, encoder: JSONEncoder = .sortedJSON
    ) throws(HTTPError) -> HTTPRequest {
        if let json = value as? HTTPJSON {
            return sendingJSON(try json.serialized(sortingNames: true))
        }
        let bytes: Data
        do {
            bytes = try encoder.encode(value)
        } catch {
            throw HTTPError.encodingFailed(
                "a value of type \(type(of: value)) cannot be encoded as JSON", error)
        }
        return sendingJSON(bytes)
    }

    func sendingJSON(_ bytes: Data) -> HTTPRequest {
        setting(HTTPBody(bytes), fields: [.contentType: "application/json"])
    }
}

extension JSONEncoder {
    /// A new encoder that sorts members by name and does not escape slashes, so that equal values
    /// give equal bytes.
    public static var sortedJSON: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension HTTPError {
    package static func encodingFailed(_ message: String, _ cause: (any Error)? = nil) -> HTTPError
    {
        HTTPError(.encodingFailed, message, phase: .preparing, underlyingError: cause)
    }
}
