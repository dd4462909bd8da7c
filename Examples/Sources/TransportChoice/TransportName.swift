public import ArgumentParser
public import HTTPCore
import HTTPTransportCurl
import HTTPTransportURLSession

/// The choice between the two transports. The rest of these programs knows only their protocol.
public enum TransportName: String, CaseIterable, Sendable, ExpressibleByArgument {
    case curl, urlsession

    public func makeSession() throws -> any HTTPSession {
        switch self {
        case .curl: try CurlTransport(CurlConfiguration())
        case .urlsession: try URLSessionTransport(URLSessionTransportConfiguration())
        }
    }
}
