import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// URLSession's own limit is never to pass before ours: a year.
    static var farTimeout: TimeInterval { 31_536_000 }

    /// Method and URL of a request that has been checked. Fields come with ``setFields(_:)``, the body
    /// last, with ``carrying(_:for:)``.
    ///
    /// - Throws: `unsupportedOption` for what URLSession cannot send.
    init(_ request: HTTPRequest, to target: HTTPTarget) throws(HTTPError) {
        // Nearly always the same, and then it need not be read once more.
        let text = target.url
        let url = request.url.absoluteString == text ? request.url : try URL(strictly: text)
        self.init(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.farTimeout)
        if request.method != .get {
            httpMethod = request.method.rawValue
            guard httpMethod == request.method.rawValue else {
                throw HTTPError(
                    .unsupportedOption,
                    "URLSession would send the method \(request.method.rawValue.logSafe) in capitals",
                    phase: .preparing)
            }
        }
        httpShouldHandleCookies = false
    }

    /// Hands this request to a configuration's closure, with its fields, and takes it back as long as
    /// what is the transport's was left alone.
    ///
    /// - Returns: the fields to send; those that were left alone as they are in `headers`.
    /// - Throws: `preparationFailed` with what the closure threw; `invalidRequest` naming what it must
    ///   not change, or a field that cannot be sent.
    mutating func change(
        _ headers: HTTPHeaders, by prepare: (inout URLRequest) throws -> Void
    ) throws -> HTTPHeaders {
        let fields = headers.joinedByName
        allHTTPHeaderFields = fields
        let original = self
        do {
            try prepare(&self)
        } catch let error as HTTPError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw HTTPError(
                .preparationFailed,
                "the configuration's prepare closure failed: \(type(of: error))",
                phase: .preparing, underlyingError: error)
        }
        let owned: [(name: String, isKept: Bool)] = [
            ("url", url?.absoluteString == original.url?.absoluteString),
            ("httpMethod", httpMethod == original.httpMethod),
            ("httpBody", httpBody == nil),
            ("httpBodyStream", httpBodyStream == nil),
            ("cachePolicy", cachePolicy == original.cachePolicy),
            ("timeoutInterval", timeoutInterval == original.timeoutInterval),
            (
                "httpShouldHandleCookies",
                httpShouldHandleCookies == original.httpShouldHandleCookies
            ),
        ]
        if let name = owned.first(where: { !$0.isKept })?.name {
            throw HTTPError(
                .invalidRequest,
                "the configuration's prepare closure changed \(name): change the HTTPRequest instead",
                phase: .preparing)
        }
        return try headers.changed(from: fields, to: allHTTPHeaderFields ?? [:])
    }

    /// Sets all fields, and has URLSession and libcurl send none of their own beyond framing.
    ///
    /// At once rather than one by one: `setValue` on Linux rewrites names in capitals.
    mutating func setFields(_ headers: HTTPHeaders) {
        #if canImport(Darwin)
            allHTTPHeaderFields = headers.joinedByName
        #else
            var fields = Self.suppressedFields
            for name in Self.inventedNames where headers.contains(name) {
                fields[name.spelling] = nil
            }
            if headers.contains(.range), !headers.contains(.acceptEncoding) {
                fields[HTTPHeaderName.acceptEncoding.spelling] = Self.suppressed
            }
            if !headers.isEmpty { fields.merge(headers.linesByName) { $1 } }
            allHTTPHeaderFields = fields
        #endif
    }

    /// This request with its body, framed by its length.
    func carrying(_ body: BodySpool, for bridge: TaskBridge) -> URLRequest {
        var request = self
        if case .empty = body {
            #if !canImport(Darwin)
                // URLSession has libcurl say so of every method but GET.
                if let httpMethod, httpMethod != "GET", !HTTPMethod(httpMethod).expectsContent {
                    request.allHTTPHeaderFields?["Content-Length"] = Self.suppressed
                }
            #endif
            return request
        }
        #if canImport(Darwin)
            switch body {
            case .empty: break
            case .memory(let data): request.httpBody = data
            case .file(let file, let count):
                request.httpBodyStream = file.makeStream()
                request.setValue("\(count)", forHTTPHeaderField: "Content-Length")
            }
        #else
            var fields = request.allHTTPHeaderFields ?? [:]
            // libcurl chunks a stream unless it is told of a transfer coding, which may be none.
            fields["Transfer-Encoding"] = Self.suppressed
            fields["Content-Length"] = "\(body.count)"
            request.allHTTPHeaderFields = fields
            request.httpBodyStream = OutgoingStream(body) { [weak bridge] in bridge?.sent($0) }
        #endif
        return request
    }

    /// On Linux a field of one blank: neither URLSession nor libcurl then sends one of its own, and
    /// libcurl leaves the blank field out.
    private static let suppressed = " "
    private static let inventedNames: [HTTPHeaderName] = [
        .accept, .acceptLanguage, .connection, .contentType, .userAgent,
    ]
    private static let suppressedFields = [String: String](
        uniqueKeysWithValues: inventedNames.map { ($0.spelling, suppressed) })
}

extension HTTPHeaders {
    /// One value per name, as URLSession knows fields (RFC 9110 §5.3).
    fileprivate var joinedByName: [String: String] { byName { _ in ", " } }

    #if !canImport(Darwin)
        /// One value per name, with the end of a line and the name once more between two fields of it:
        /// `URLRequest` and libcurl hand on what they are given, so that each is sent as a field of
        /// its own. No value that a caller sets can have such an end in it.
        fileprivate var linesByName: [String: String] { byName { "\r\n\($0.spelling): " } }
    #endif

    /// Several fields of `Cookie` are always joined, with a semicolon (RFC 9113 §8.2.3).
    private func byName(_ separator: (HTTPHeaderName) -> String) -> [String: String] {
        var values: [HTTPHeaderName: String] = [:]
        for field in self {
            if let earlier = values[field.name] {
                let separator = field.name == .cookie ? "; " : separator(field.name)
                values[field.name] = earlier + separator + field.value
            } else {
                values[field.name] = field.value
            }
        }
        return [String: String](
            uniqueKeysWithValues: values.map { ($0.key.spelling, $0.value) })
    }

    /// These with the changes that somebody made to them joined by name.
    ///
    /// - Throws: `invalidRequest` for what is no field, and for one that frames messages.
    fileprivate func changed(
        from before: [String: String], to after: [String: String]
    ) throws(HTTPError) -> HTTPHeaders {
        guard after != before else { return self }
        var headers = self
        for name in before.keys where after[name] == nil { headers.remove(HTTPHeaderName(name)) }
        for (name, value) in after.sorted(by: { $0.key < $1.key }) where before[name] != value {
            try headers.set(HTTPHeaderName(name), value)
        }
        try headers.checkForSending()
        return headers
    }

    /// - Throws: `invalidRequest` naming a field that frames messages, or is there too often.
    func checkForSending() throws(HTTPError) {
        // Where all that may be in a request is proven.
        _ = try HTTPRequest(.get, "http://localhost/", headers: self).checkedTarget()
    }
}

extension HTTPRequest {
    /// Refuses what URLSession would not send as it is.
    func checkForURLSession() throws(HTTPError) {
        if let version {
            throw HTTPError(
                .unsupportedOption,
                "URLSessionTransport cannot be told to speak \(version): leave the version open",
                phase: .preparing)
        }
        if method == .get || method == .head, !body.isEmpty {
            throw HTTPError(
                .unsupportedOption,
                "URLSession sends no content with \(method): use another method or transport",
                phase: .preparing)
        }
    }
}
