import HTTPCore
public import PortableFoundation

extension HTTPBodyWriter {
    /// Writes the value as one line of JSON Lines (newline-delimited JSON). See
    /// ``HTTPBodyWriter/write(_:)-(Data)`` for waits, cancellation and further errors.
    ///
    /// - Throws: `encodingFailed` if the value cannot be encoded, or if `encoder` divides it into
    ///   several lines. Nothing is written then, and the writer remains usable.
    public func write(
        jsonLine value: some Encodable, encoder: JSONEncoder = .sortedJSON
    ) async throws {
        var line: Data
        do {
            line =
                if let json = value as? HTTPJSON {
                    try json.serialized(sortingNames: true)
                } else {
                    try encoder.encode(value)
                }
        } catch {
            throw HTTPError.encodingFailed(
                "a value of type \(type(of: value)) cannot be encoded as JSON", error)
        }
        guard !line.contains(UInt8(ascii: "\n")) else {
            throw HTTPError.encodingFailed(
                "a line of JSON Lines cannot contain line breaks: "
                    + "use an encoder without .prettyPrinted")
        }
        line.append(UInt8(ascii: "\n"))
        try await write(line)
    }
}
