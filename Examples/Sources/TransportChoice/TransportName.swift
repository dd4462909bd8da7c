public import ArgumentParser
public import HTTPCore
import HTTPTransportCurl
import HTTPTransportURLSession

/// The choice between the two transports. The rest of these programs knows only their protocol.
public enum TransportName: String, CaseIterable, Sendable, ExpressibleByArgument {
    case curl, urlsession

    /// The libraries below the transports, with what they can do.
    public static var versions: String {
        do {
            let library = try CurlTransport.library
            let lines: [(String, String)] = [
                ("libcurl", library.version),
                ("TLS", library.tlsLibrary ?? "none"),
                ("HTTP/2", library.http2Library ?? "none"),
                (
                    "HTTP/3",
                    library.http3Library.map { $0 + (library.speaksHTTP3 ? "" : " (not used)") }
                        ?? "none"
                ),
                ("codings", library.contentCodings.joined(separator: ", ")),
                ("Unix sockets", library.reachesUnixSockets ? "yes" : "no"),
                ("HTTPS proxies", library.reachesHTTPSProxies ? "yes" : "no"),
                ("handle reuse", library.reusesHandles ? "yes" : "no"),
                ("uploads over HTTP/2", library.uploadsOverHTTP2 ? "yes" : "small ones only"),
            ]
            return lines.map { name, value in
                name + String(repeating: " ", count: 21 - name.count) + value
            }.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    public func makeSession() throws -> any HTTPSession {
        switch self {
        case .curl: try CurlTransport(CurlConfiguration())
        case .urlsession: try URLSessionTransport(URLSessionTransportConfiguration())
        }
    }
}
