import HTTPClientKit
import HTTPTesting
import PortableFoundation

#if canImport(HTTPTransportCurl)
    import HTTPTransportCurl
#endif
#if canImport(HTTPTransportURLSession)
    import HTTPTransportURLSession
#endif

/// The transports for tests of clients.
enum ClientWire: String, CaseIterable, Codable, Sendable {
    #if canImport(HTTPTransportCurl)
        case curl
    #endif
    #if canImport(HTTPTransportURLSession)
        case urlSession
    #endif

    /// URLSession on Linux leaks with every request, so it is excluded when leaks are checked.
    static let allCases: [ClientWire] = {
        let looksForLeaks = ProcessInfo.processInfo.environment["HTTP_TEST_LEAKS"] == "1"
        var cases: [ClientWire] = []
        #if canImport(HTTPTransportCurl)
            cases.append(.curl)
        #endif
        #if canImport(HTTPTransportURLSession)
            if !looksForLeaks { cases.append(.urlSession) }
        #endif
        return cases
    }()

    /// Returns a transport with at most this number of connections to each origin.
    func transport(connections: Int = 1) throws -> any HTTPSession {
        switch self {
        #if canImport(HTTPTransportCurl)
            case .curl:
                var configuration = CurlConfiguration()
                configuration.maximumConnectionsPerOrigin = connections
                return try CurlTransport(configuration)
        #endif
        #if canImport(HTTPTransportURLSession)
            case .urlSession:
                var configuration = URLSessionTransportConfiguration()
                configuration.maximumConnectionsPerHost = connections
                return try URLSessionTransport(configuration)
        #endif
        }
    }
}
