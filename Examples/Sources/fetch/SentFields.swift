import HTTPClientKit
import HTTPTransportCurl

/// The fields of a request as they go out: those of the request, and those that the transport with
/// libcurl adds. The transport does not report its own fields; they follow from the request.
struct SentFields: Sendable {
    /// The lines, without line ends.
    let lines: [String]

    /// - Parameters:
    ///   - decodesContent: `true` if the transport asks for compressed responses.
    ///   - showsSecrets: `true` if sensitive values are not redacted.
    init(
        _ request: HTTPRequest, decodesContent: Bool, showsSecrets: Bool = false
    ) {
        var lines: [String] = []
        let headers = request.headers
        if !headers.contains(.host), let origin = try? HTTPOrigin(request.url) {
            lines.append("Host: \(origin.description.drop { $0 != "/" }.dropFirst(2))")
        }
        if decodesContent, !headers.contains(.acceptEncoding), !headers.contains(.range),
            let codings = try? CurlTransport.library.contentCodings
        {
            lines.append(
                "Accept-Encoding: "
                    + (codings.isEmpty ? "identity" : codings.joined(separator: ", ")))
        }
        for field in headers {
            lines.append(showsSecrets ? "\(field.name): \(field.value)" : field.description)
        }
        if let length = request.body.length {
            if length > 0 || Self.expectContent.contains(request.method) {
                lines.append("Content-Length: \(length)")
            }
        } else {
            lines.append("Transfer-Encoding: chunked")
        }
        self.lines = lines
    }

    /// Methods that announce their content even if there is none (RFC 9110 §8.6).
    private static let expectContent: Set<HTTPMethod> = [.post, .put, .patch, .query]
}
