package import HTTPCore
package import PortableFoundation

/// The decoder of the pieces of a body that are JSON: lines, texts of a sequence, data of events.
///
/// Every reader of such pieces decodes here, so that they choose a decoder and report errors alike.
package struct PieceDecoder: Sendable {
    private let decoder: JSONDecoder
    /// The request that errors name.
    let request: HTTPRequest?

    /// - Parameters:
    ///   - decoder: The caller's decoder, or `nil` for that of the client which sent `request`.
    ///   - request: The original request of the response that has the pieces, if there is one.
    package init(_ decoder: JSONDecoder?, for request: HTTPRequest? = nil) {
        self.decoder = decoder ?? request?[DefaultDecoder.self] ?? JSONDecoder()
        self.request = request
    }

    /// Returns the value of one piece. An `HTTPJSON` is parsed without a decoder, so that numbers
    /// stay exact.
    ///
    /// - Parameter name: The subject of the error's sentence.
    /// - Throws: `decodingFailed`, which says where the decoder stopped, but contains no bytes.
    func value<Value: Decodable>(
        _ type: Value.Type, of bytes: some Collection<UInt8>, named name: @autoclosure () -> String
    ) throws(HTTPError) -> Value {
        do {
            if Value.self == HTTPJSON.self, let value = try HTTPJSON(parsing: bytes) as? Value {
                return value
            }
            return try decoder.decode(Value.self, from: Data(bytes))
        } catch {
            throw request.naming(
                .malformedPiece(
                    "\(name()) is not a valid \(Value.self)" + error.decodingClause, error))
        }
    }
}

extension HTTPError {
    static func malformedPiece(_ message: String, _ cause: (any Error)? = nil) -> HTTPError {
        HTTPError(
            .decodingFailed, message, phase: .receiving, mayHaveReachedServer: true,
            underlyingError: cause)
    }
}

/// The original request of a response whose body is read in pieces, for the errors of the reader.
extension HTTPRequest? {
    /// Returns the same error with this request, if there is one and the error names none.
    func naming(_ error: HTTPError) -> HTTPError {
        guard let self else { return error }
        return error.inPhase(error.phase ?? .receiving, mayHaveReachedServer: true).naming(self)
    }

    /// Returns the same error with this request, if it is an `HTTPError` that names none.
    func naming(_ error: any Error) -> any Error { (error as? HTTPError).map(naming) ?? error }
}
