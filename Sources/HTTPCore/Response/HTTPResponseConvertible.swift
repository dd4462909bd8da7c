public import PortableFoundation

/// A value that can be created from a whole response: the response, `Data`, `String`, or a custom
/// type.
public protocol HTTPResponseConvertible: Sendable {
    /// Returns the value of a response, which a session has accepted. An error that is thrown is
    /// the call's.
    static func convert(from response: HTTPResponse) async throws -> Self
}

extension HTTPResponse: HTTPResponseConvertible {
    public static func convert(from response: HTTPResponse) async throws -> HTTPResponse {
        response
    }
}

extension Data: HTTPResponseConvertible {
    public static func convert(from response: HTTPResponse) async throws -> Data {
        try await response.data()
    }
}
