public import ArgumentParser
public import HTTPCore
import HTTPTransportCurl
import HTTPTransportURLSession

/// The two transports behind one protocol: nothing else in these programs knows which is at work.
public enum TransportName: String, CaseIterable, Sendable, ExpressibleByArgument {
    case curl, urlsession

    public func makeSession() throws -> any HTTPSession {
        switch self {
        case .curl: try CurlTransport(CurlConfiguration())
        case .urlsession: try URLSessionTransport(URLSessionTransportConfiguration())
        }
    }
}
