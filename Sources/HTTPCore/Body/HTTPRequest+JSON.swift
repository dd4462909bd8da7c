#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPRequest {
    /// The same request with the value as its body, encoded now; members sorted by name, so that
    /// equal values are equal bytes. `Content-Type` becomes `application/json` if there is none.
    ///
    /// An `HTTPJSON` is written as it is, with its digits; `encoder` is not used.
    ///
    /// - Throws: `encodingFailed` with the encoder's error inside, such as for infinity.
    public func json(
        _ value: some Encodable, encoder: JSONEncoder = .sortedJSON
    ) throws(HTTPError) -> HTTPRequest {
        if let json = value as? any JSONWritable {
            return sendingJSON(try json.serialized(sortingNames: true))
        }
        let bytes: Data
        do {
            bytes = try encoder.encode(value)
        } catch {
            throw HTTPError.encodingFailed("a \(type(of: value)) has no JSON", error)
        }
        return sendingJSON(bytes)
    }

    package func sendingJSON(_ bytes: Data) -> HTTPRequest {
        setting(HTTPBody(bytes), fields: [.contentType: "application/json"])
    }
}

/// A value that writes its own JSON, whatever the encoder.
package protocol JSONWritable {
    func serialized(sortingNames: Bool) throws(HTTPError) -> Data
}

extension JSONEncoder {
    /// A new encoder that writes members sorted by name and slashes as they are, so that equal
    /// values give equal bytes.
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

extension HTTPError.Code {
    /// A value has no form in the encoding that the request's body was to have; nothing was sent.
    public static var encodingFailed: Self { Self(rawValue: "encodingFailed") }
}
