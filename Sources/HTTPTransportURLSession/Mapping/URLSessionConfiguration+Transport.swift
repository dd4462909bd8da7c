public import HTTPCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLSessionTransportConfiguration {
    /// Creates a configuration with the settings of a URLSession configuration, which is copied.
    ///
    /// | setting | becomes |
    /// |---|---|
    /// | `httpMaximumConnectionsPerHost` | ``maximumConnectionsPerHost`` |
    /// | `timeoutIntervalForRequest` | ``timeouts``, idle |
    /// | `timeoutIntervalForResource` | ``timeouts``, in total, also on Linux |
    /// | `httpAdditionalHeaders` | fields of every request that has none of that name |
    /// | `urlCache`, `urlCredentialStorage`, `httpCookieStorage` | nothing, see below |
    /// | `httpShouldSetCookies`, `httpCookieAcceptPolicy` | nothing, see below |
    /// | `requestCachePolicy` | nothing, unless it demands stored responses |
    /// | all others | settings of the transport's URLSession, unchanged |
    ///
    /// The settings for caches, credentials and cookies have no effect. Every configuration has
    /// them from the start, and a transport keeps no response, credential or cookie.
    ///
    /// - Throws: `unsupportedOption` with the name of the setting: `identifier`, a
    ///   `requestCachePolicy` that demands stored responses, and on Linux what URLSession would
    ///   ignore (`connectionProxyDictionary`, `networkServiceType`, `allowsCellularAccess`,
    ///   `isDiscretionary`). `invalidRequest` for a limit that is not positive, and for additional
    ///   fields that are invalid or frame messages.
    public init(_ configuration: URLSessionConfiguration) throws(HTTPError) {
        if let setting = Self.unsupported(in: configuration) {
            throw HTTPError(
                .unsupportedOption, "URLSessionTransport cannot honour \(setting): leave it out",
                phase: .preparing)
        }
        platform = configuration.copy() as? URLSessionConfiguration
        additionalHeaders = try Self.headers(configuration.httpAdditionalHeaders)
        maximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
        timeouts.idle = .seconds(configuration.timeoutIntervalForRequest)
        timeouts.total = .seconds(configuration.timeoutIntervalForResource)
        try check()
    }

    /// Returns the name of the first setting that would have no effect.
    private static func unsupported(in configuration: URLSessionConfiguration) -> String? {
        let demandsStored =
            [.returnCacheDataElseLoad, .returnCacheDataDontLoad]
            .contains(configuration.requestCachePolicy)
        var settings: [(name: String, isSet: Bool)] = [
            ("the identifier of a background session", configuration.identifier != nil),
            ("a requestCachePolicy that demands stored responses", demandsStored),
        ]
        #if !canImport(Darwin)
            settings += [
                (
                    "connectionProxyDictionary, which URLSession on Linux ignores",
                    configuration.connectionProxyDictionary?.isEmpty == false
                ),
                (
                    "networkServiceType, which URLSession on Linux ignores",
                    configuration.networkServiceType != .default
                ),
                (
                    "allowsCellularAccess, which URLSession on Linux ignores",
                    !configuration.allowsCellularAccess
                ),
                (
                    "isDiscretionary, which URLSession on Linux ignores",
                    configuration.isDiscretionary
                ),
            ]
        #endif
        return settings.first { $0.isSet }?.name
    }

    private static func headers(_ fields: [AnyHashable: Any]?) throws(HTTPError) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in fields ?? [:] {
            guard let name = name as? String, let value = value as? String else {
                throw HTTPError(
                    .invalidRequest,
                    "httpAdditionalHeaders has a field whose name or value is not a String",
                    phase: .preparing)
            }
            try headers.append(HTTPHeaderName(name), value)
        }
        try headers.checkForSending()
        return headers
    }

    /// Returns the configuration for the URLSession, with the settings that the transport needs.
    func makePlatformConfiguration() -> URLSessionConfiguration {
        let own = platform?.copy() as? URLSessionConfiguration ?? .ephemeral
        own.urlCache = nil
        own.requestCachePolicy = .reloadIgnoringLocalCacheData
        own.urlCredentialStorage = nil
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.httpCookieAcceptPolicy = .never
        own.httpAdditionalHeaders = nil
        own.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        own.timeoutIntervalForRequest = URLRequest.farTimeout
        own.timeoutIntervalForResource = URLRequest.farTimeout
        return own
    }

    /// Returns the request with the additional fields that it lacks.
    func completing(_ request: HTTPRequest) -> HTTPRequest {
        guard !additionalHeaders.isEmpty else { return request }
        let missing = additionalHeaders.filter { !request.headers.contains($0.name) }
        var request = request
        for field in missing { request.headers[values: field.name].append(field.value) }
        return request
    }
}
