import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPCookies
import PortableFoundation

extension HTTPCookieJar {
    /// Stores the cookies of a response from `url` with these `Set-Cookie` fields.
    func receive(_ fields: String..., from url: String) throws {
        var headers = HTTPHeaders()
        for field in fields {
            let isField = headers.append(line: Array("Set-Cookie: \(field)".utf8).span)
            try #require(isField)
        }
        store(headers, from: try URL(strictly: url))
    }

    /// Returns the `Cookie` field of a request to `url`.
    ///
    /// Not inlined: Swift 6.3.1 crashes if it optimizes the typed error of the URL as a part of an
    /// asynchronous test.
    @inline(never) func field(for url: String) throws -> String? {
        let field = cookieField(for: try URL(strictly: url)) { _ in true }
        return field.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the cookies as `name=value`, by name.
    var pairs: [String] { cookies.map { "\($0.name)=\($0.value)" }.sorted() }
}

extension CookieStore {
    /// Stores the cookie of a field from `url`.
    mutating func receive(_ field: String, from url: String, now: Date) throws {
        let location = try CookieLocation(URL(strictly: url))
        let cookie = try Cookie(SetCookie(bytes: Array(field.utf8)), from: location, now: now)
        try store(cookie, from: location, now: now)
    }

    /// Returns the `Cookie` field of a request to `url`.
    mutating func field(for url: String, now: Date) throws -> String? {
        let sent = send(to: try CookieLocation(URL(strictly: url)), now: now)
        return HTTPCookieJar.field(of: sent).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The date at which most tests begin.
let testDate = HTTPTestClock.standardDate
