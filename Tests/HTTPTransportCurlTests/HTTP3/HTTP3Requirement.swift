import HTTPCore
import Testing

@testable import HTTPTransportCurl

/// The requirements of the tests of HTTP/3.
enum HTTP3Requirement {
    /// `true` if the library speaks HTTP/3, and there is a server that does.
    static let isMet =
        (try? CurlTransport.library.speaksHTTP3) == true && NginxServer.isAvailableWithHTTP3

    static let comment: Comment = "libcurl or nginx is without HTTP/3, or openssl is not installed"

    /// Returns a request that asks for HTTP/3.
    static func request(
        _ method: HTTPMethod = .get, _ url: String, body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(method, url)
        if let body { request.body = body }
        request.version = .http3
        return request
    }
}
