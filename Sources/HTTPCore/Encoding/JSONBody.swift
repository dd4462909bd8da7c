#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPRequest {
    /// The same request with the value as its body, encoded now; members sorted by name, so that
    /// equal values are equal octets. `Content-Type` becomes `application/json` if there is none.
    ///
    /// A ``HTTPJSON`` is written as it is, with its digits; `encoder` is not asked.
    ///
    /// - Throws: `encodingFailed` with the encoder's error inside, such as for infinity.
    public func json(
        _ value: some Encodable, encoder: JSONEncoder = .sortedJSON
    ) throws(HTTPError) -> HTTPRequest {
        if let json = value as? HTTPJSON {
            return sendingJSON(try json.serialized(sortingNames: true))
        }
        let octets: Data
        do {
            octets = try encoder.encode(value)
        } catch {
            throw HTTPError.encodingFailed("a \(type(of: value)) has no JSON", error)
        }
        return sendingJSON(octets)
    }

    /// As ``json(_:encoder:)``, for a dictionary of mixed values, see ``HTTPJSON/init(any:)``.
    @_disfavoredOverload
    public func json(_ object: [String: Any]) throws(HTTPError) -> HTTPRequest {
        sendingJSON(try HTTPJSON(any: object).serialized(sortingNames: true))
    }

    /// As ``json(_:encoder:)``, for an array of mixed values, see ``HTTPJSON/init(any:)``.
    @_disfavoredOverload
    public func json(_ array: [Any]) throws(HTTPError) -> HTTPRequest {
        sendingJSON(try HTTPJSON(any: array).serialized(sortingNames: true))
    }

    private func sendingJSON(_ octets: Data) -> HTTPRequest {
        setting(HTTPBody(octets), fields: [.contentType: "application/json"])
    }
}
