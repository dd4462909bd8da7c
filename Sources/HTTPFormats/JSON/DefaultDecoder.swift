package import HTTPCore
package import PortableFoundation

/// The decoder of responses where a caller passes none. A client sets it on its requests if its
/// decoder has other settings than a new one.
package enum DefaultDecoder: HTTPRequestOption {
    package static var defaultValue: JSONDecoder? { nil }
}

extension HTTPResponse {
    /// Returns `decoder`; if that is `nil`, the default of the client that sent the request.
    package func decoder(or decoder: JSONDecoder?) -> JSONDecoder {
        let client = originalRequest.hasOptions ? originalRequest[DefaultDecoder.self] : nil
        return decoder ?? client ?? JSONDecoder()
    }

    /// The options for an error that stands for this response: its own, and the decoder of a body
    /// that is read from the error.
    package var errorOptions: HTTPOptions {
        var options = options
        if let decoder = originalRequest[DefaultDecoder.self] {
            options[DefaultDecoder.self] = decoder
        }
        return options
    }
}

extension JSONDecoder {
    /// Returns a value decoded from JSON. An `HTTPJSON` reads its own, whatever the strategies are.
    package func value<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
        if type == HTTPJSON.self, let value = try HTTPJSON(parsing: json) as? Value { return value }
        return try decode(type, from: json)
    }
}
