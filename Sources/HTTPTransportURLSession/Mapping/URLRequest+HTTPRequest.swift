import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// A limit for URLSession that never passes before the transport's own limits: one year.
    static var farTimeout: TimeInterval { 31_536_000 }

    /// Creates a request with the method and URL of a request that has been checked. Its fields are
    /// set with ``setFields(_:)``, and last its body with ``carrying(_:hasRead:)``.
    ///
    /// - Throws: `unsupportedOption` if URLSession cannot send the method.
    init(_ request: HTTPRequest, to target: HTTPTarget) throws(HTTPError) {
        // The text is nearly always the same, and then need not be parsed again.
        let text = target.url
        let url = request.url.absoluteString == text ? request.url : try URL(strictly: text)
        self.init(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.farTimeout)
        if request.method != .get {
            httpMethod = request.method.rawValue
            guard httpMethod == request.method.rawValue else {
                throw HTTPError(
                    .unsupportedOption,
                    "URLSession would send the method \(request.method.rawValue.logSafe) "
                        + "in capitals",
                    phase: .preparing)
            }
        }
        httpShouldHandleCookies = false
    }

    /// Passes this request, with its fields, to a configuration's closure, and accepts the result
    /// if the closure did not change what belongs to the transport.
    ///
    /// - Returns: the fields to send. Those that the closure did not change are as they are in
    ///   `headers`.
    /// - Throws: `preparationFailed` with the closure's error; `invalidRequest` with the name of
    ///   what must not change, or of a field that cannot be sent.
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
                "the configuration's prepare closure changed \(name): change the HTTPRequest "
                    + "instead",
                phase: .preparing)
        }
        return try headers.changed(from: fields, to: allHTTPHeaderFields ?? [:])
    }

    /// Sets all fields, and makes URLSession and libcurl send none of their own beyond framing.
    ///
    /// The fields are set together, because on Linux `setValue` changes the capitals in names.
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

    /// Returns this request with its body, framed by its length.
    ///
    /// - Parameter hasRead: Called with the number of bytes that URLSession has read, on its queue.
    func carrying(_ body: BodySpool, hasRead: @escaping (Int) -> Void) -> URLRequest {
        var request = self
        if case .empty = body {
            #if !canImport(Darwin)
                // URLSession makes libcurl send a length of 0 for every method but GET.
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
            // libcurl sends a stream in chunks unless it is given a transfer coding, even an empty
            // one.
            fields["Transfer-Encoding"] = Self.suppressed
            fields["Content-Length"] = "\(body.count)"
            request.allHTTPHeaderFields = fields
            request.httpBodyStream = OutgoingStream(body, hasRead: hasRead)
        #endif
        return request
    }

    /// A value of one blank, for Linux. With it, neither URLSession nor libcurl sends a field of
    /// its own, and libcurl leaves out the blank field.
    private static let suppressed = " "
    private static let inventedNames: [HTTPHeaderName] = [
        .accept, .acceptLanguage, .connection, .contentType, .userAgent,
    ]
    private static let suppressedFields = inventedNames.reduce(into: [String: String]()) {
        $0[$1.spelling] = suppressed
    }
}

extension HTTPHeaders {
    /// One value per name, which is how URLSession stores fields (RFC 9110 §5.3).
    fileprivate var joinedByName: [String: String] { byName { _ in ", " } }

    #if !canImport(Darwin)
        /// One value per name, in which a line end and the name separate two fields. `URLRequest`
        /// and libcurl pass on what they are given, so each field is sent on a line of its own. No
        /// value that a caller sets can contain such a line end.
        fileprivate var linesByName: [String: String] { byName { "\r\n\($0.spelling): " } }
    #endif

    /// Returns one value per name. Several `Cookie` fields are always joined with a semicolon (RFC
    /// 9113 §8.2.3).
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
        return values.reduce(into: [:]) { $0[$1.key.spelling] = $1.value }
    }

    /// Returns these fields with the changes that were made to their joined form.
    ///
    /// - Throws: `invalidRequest` for an invalid field, and for one that frames messages.
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

    /// - Throws: `invalidRequest` with the name of a field that frames messages or occurs too
    ///   often.
    func checkForSending() throws(HTTPError) {
        // `checkedTarget()` checks all that a request may contain.
        _ = try HTTPRequest(.get, "http://localhost/", headers: self).checkedTarget()
    }
}

extension HTTPRequest {
    /// Throws if URLSession would not send the request as it is.
    func checkForURLSession() throws(HTTPError) {
        try timeouts.checkForURLSession()
        if let version {
            throw HTTPError(
                .unsupportedOption,
                "URLSessionTransport cannot be told to use \(version): leave the version open",
                phase: .preparing)
        }
        if self[NeedsDuplex.self] {
            throw HTTPError(
                .unsupportedOption,
                "URLSessionTransport sends a body only once it is complete: "
                    + "use another transport, or write the whole body before you read the response",
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

extension HTTPTimeouts {
    /// Throws if URLSession gives no sign by which a limit could be kept.
    func checkForURLSession() throws(HTTPError) {
        guard case .after = tls else { return }
        throw HTTPError(
            .unsupportedOption,
            "URLSessionTransport cannot limit TLS, of which URLSession shows nothing: set "
                + "timeouts.connect instead",
            phase: .preparing)
    }
}
