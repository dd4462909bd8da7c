#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a session can make of a whole response: the response, `Data`, `String`, or a type of yours.
public protocol HTTPResponseConvertible: Sendable {
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
