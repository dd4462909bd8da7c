import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// URLSession's own limit is never to pass before ours: a year.
    static var farTimeout: TimeInterval { 31_536_000 }

    /// On Linux a field of one blank: neither URLSession nor libcurl then sends one of its own, and
    /// libcurl leaves the blank field out.
    private static let suppressed = " "

    /// Method, URL and fields of a request that has been checked. The body comes last, with
    /// ``carrying(_:for:)``.
    ///
    /// - Throws: `unsupportedOption` for what URLSession cannot send.
    init(_ request: HTTPRequest, to target: HTTPTarget) throws(HTTPError) {
        self.init(
            url: try URL(strictly: target.url), cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: Self.farTimeout)
        httpMethod = request.method.rawValue
        guard httpMethod == request.method.rawValue else {
            throw HTTPError(
                .unsupportedOption,
                "URLSession would send the method \(request.method.rawValue.logSafe) in capitals",
                phase: .preparing)
        }
        httpShouldHandleCookies = false

        var values: [HTTPHeaderName: [String]] = [:]
        for field in request.headers { values[field.name, default: []].append(field.value) }
        #if !canImport(Darwin)
            for name: HTTPHeaderName in [
                .accept, .acceptLanguage, .connection, .contentType, .userAgent,
            ] where values[name] == nil {
                values[name] = [Self.suppressed]
            }
            if values[.range] != nil, values[.acceptEncoding] == nil {
                values[.acceptEncoding] = [Self.suppressed]
            }
        #endif
        for (name, values) in values {
            // Not `Cookie`: several fields of it are joined with a semicolon (RFC 9113 §8.2.3).
            let separator = name == .cookie ? "; " : ", "
            setValue(values.joined(separator: separator), forHTTPHeaderField: name.spelling)
        }
    }

    /// This request with its body, framed by its length.
    func carrying(_ body: BodySpool, for bridge: TaskBridge) -> URLRequest {
        if case .empty = body { return self }
        var request = self
        #if canImport(Darwin)
            switch body {
            case .empty: break
            case .memory(let data): request.httpBody = data
            case .file(let file, let count):
                request.httpBodyStream = file.makeStream()
                request.setValue("\(count)", forHTTPHeaderField: "Content-Length")
            }
        #else
            // libcurl chunks a stream unless it is told of a transfer coding, which may be none.
            request.setValue(Self.suppressed, forHTTPHeaderField: "Transfer-Encoding")
            request.setValue("\(body.count)", forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = OutgoingStream(body) { [weak bridge] in bridge?.sent($0) }
        #endif
        return request
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
