public import HTTPCore
import HTTPCredentials
import PortableFoundation

/// A middleware that sends the cookies of a jar, and stores those of every response.
///
/// Runs once per exchange (row 11). Put it inside redirects and retries, so that each hop sends its
/// own cookies, and a response that leads to another request is stored, too.
///
/// A `Cookie` field that the request already has is kept. The jar's cookies are added to it, except
/// those of a name that it contains. The origin guard treats such a field like any other secret of
/// the caller, and lets the jar's cookies without one pass to the host that set them.
///
/// The `originalRequest` of a response has the cookies that were sent. Do not send it again: the
/// jar may have newer ones.
///
/// The cookies of a response belong to the URL of the response. It differs from that of the request
/// if a session below follows redirects by itself.
public struct Cookies: HTTPClientMiddleware {
    private let jar: HTTPCookieJar

    /// Creates a layer that sends and stores the cookies of `jar`. Several may share one jar.
    public init(_ jar: HTTPCookieJar) { self.jar = jar }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let response = try await next.response(for: attached(to: request))
        jar.store(response.headers, from: response.url)
        return response
    }

    /// Returns the request with the cookies of the jar, or unchanged if there are none for it.
    ///
    /// - Throws: `invalidRequest` if the request has no origin and the jar has cookies; the errors
    ///   of `prepared()`.
    package func attached(to request: HTTPRequest) throws -> HTTPRequest {
        guard jar.hasCookies else { return request }
        // A later change would add a field of the caller's to the marked one.
        let request = try request.prepared()
        let origin = try request.origin()
        let own = request.headers.contains(.cookie) ? OwnCookies(request.headers) : nil
        let found = jar.cookieField(for: request.url) { own?.names.contains($0) != true }
        guard let field = found else { return request }
        var line = Array("Cookie: ".utf8)
        if let own, !own.bytes.isEmpty { line += own.bytes + Array("; ".utf8) }
        line += field
        var attached = request
        attached.headers.remove(.cookie)
        guard attached.headers.append(line: line.span) else {
            throw HTTPError(.internalFailure, "the cookies of \(origin.host) are not a field value")
        }
        if own == nil {
            attached.markIssued(.cookie, by: origin)
            attached[ClientCredentials.self][values: .cookie] = attached.headers[values: .cookie]
        }
        return attached
    }
}

/// The cookies that a request already has.
private struct OwnCookies {
    /// The values of all `Cookie` fields as one value.
    private(set) var bytes: [UInt8] = []
    /// The names; an empty one for a cookie without a name.
    private(set) var names = Set<[UInt8]>()

    init(_ headers: HTTPHeaders) {
        headers.forEachValue(of: .cookie) { value in
            guard !value.isEmpty else { return }
            if !bytes.isEmpty { bytes += "; ".utf8 }
            for index in value.indices { bytes.append(value[index]) }
        }
        for cookie in bytes.split(separator: UInt8(ascii: ";")) {
            let pair = cookie.trimmedOfBlanks
            let name = pair.firstIndex(of: UInt8(ascii: "=")).map { pair[..<$0] } ?? []
            if !pair.isEmpty { names.insert(Array(name.trimmedOfBlanks)) }
        }
    }
}
