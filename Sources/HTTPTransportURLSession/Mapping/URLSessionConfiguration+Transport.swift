public import HTTPCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLSessionTransportConfiguration {
    /// The settings of a URLSession configuration, which is copied.
    ///
    /// | setting | becomes |
    /// |---|---|
    /// | `httpMaximumConnectionsPerHost` | ``maximumConnectionsPerHost`` |
    /// | `timeoutIntervalForRequest` | ``timeouts``, idle |
    /// | `timeoutIntervalForResource` | ``timeouts``, in total; on Linux, too |
    /// | `httpAdditionalHeaders` | fields of every request that has none of that name |
    /// | `urlCache`, `urlCredentialStorage`, `httpCookieStorage`, `httpShouldSetCookies`, `httpCookieAcceptPolicy` | nothing: every configuration has them from the start, and a transport keeps no response, credential or cookie |
    /// | `requestCachePolicy` | nothing, unless it demands stored responses |
    /// | all others | URLSession's, as they are |
    ///
    /// - Throws: `unsupportedOption` naming the setting: `identifier`, a `requestCachePolicy` that
    ///   demands stored responses, and on Linux what URLSession would ignore
    ///   (`connectionProxyDictionary`, `networkServiceType`, `allowsCellularAccess`,
    ///   `isDiscretionary`). `invalidRequest` for a limit that is not positive, and for additional
    ///   fields that are none or frame messages.
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

    /// The first setting that asks for what would not happen.
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
                    "httpAdditionalHeaders has a field whose name or value is no String",
                    phase: .preparing)
            }
            try headers.append(HTTPHeaderName(name), value)
        }
        try headers.checkForSending()
        return headers
    }

    /// What the URLSession is made with: all that is ours as we need it.
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

    /// The request with the additional fields that it has not.
    func completing(_ request: HTTPRequest) -> HTTPRequest {
        guard !additionalHeaders.isEmpty else { return request }
        let missing = additionalHeaders.filter { !request.headers.contains($0.name) }
        var request = request
        for field in missing { request.headers[values: field.name].append(field.value) }
        return request
    }
}

extension URLSessionTransport {
    /// A transport with the settings of a URLSession configuration: see
    /// ``URLSessionTransportConfiguration/init(_:)`` for what becomes of each.
    public convenience init(configuration: URLSessionConfiguration) throws(HTTPError) {
        try self.init(URLSessionTransportConfiguration(configuration))
    }
}

extension URLSession {
    /// A transport with this session's configuration, and with nothing else of it.
    ///
    /// It has its own connections, and its own delegate, through which all of its work goes: this
    /// session's delegate hears nothing of what it does and is not asked about redirects, which are
    /// answers, nor about challenges. Either may be invalidated or closed without the other.
    ///
    /// Each call makes a new one: keep it.
    ///
    /// - Throws: as ``URLSessionTransportConfiguration/init(_:)``.
    public func httpSession() throws(HTTPError) -> URLSessionTransport {
        try URLSessionTransport(configuration: configuration)
    }
}
