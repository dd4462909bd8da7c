import HTTPCore
import HTTPFormats

/// The header section of a response as it is stored, and its update by a later response
/// (RFC 9111 §3.1, §3.2).
enum StoredFields {
    /// Returns the section without the fields of the connection, and without `Set-Cookie`: a stored
    /// response must not set a cookie again.
    static func stored(_ headers: HTTPHeaders) -> HTTPHeaders {
        var stored = headers
        for name in unstored(in: headers) { stored.remove(name) }
        return stored
    }

    /// Returns the stored section with the fields of a 304, or of a response to HEAD, in the place
    /// of its own.
    ///
    /// Fields that describe the stored bytes are kept: they are of the response that brought the
    /// bytes.
    static func updated(_ stored: HTTPHeaders, by update: HTTPHeaders) -> HTTPHeaders {
        let new = Self.stored(update)
        var result = stored
        // An old `Age` would be counted again.
        result.remove(.age)
        for name in new.names where !kept.contains(name) { result.remove(name) }
        for index in new.indices where !kept.contains(new.name(at: index)) {
            result.append(new, at: index)
        }
        return result
    }

    /// Fields that are about the bytes that are stored, which an update does not change.
    private static let kept: Set<HTTPHeaderName> = [
        .contentLength, .contentEncoding, .contentRange,
    ]

    private static func unstored(in headers: HTTPHeaders) -> [HTTPHeaderName] {
        var names = always.filter { headers.contains($0) }
        for value in headers[values: .connection] {
            names += FieldScanner.tokens(value).map { HTTPHeaderName($0) }
        }
        return names
    }

    private static let always: [HTTPHeaderName] = [
        .connection, .keepAlive, .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization,
        "Proxy-Connection", .te, .transferEncoding, .upgrade, .setCookie,
    ]
}

extension HTTPHeaders {
    fileprivate var names: Set<HTTPHeaderName> { Set(indices.map(name(at:))) }

    fileprivate func name(at index: Int) -> HTTPHeaderName {
        withBytes(at: index) { name, _ in HTTPHeaderName(String(decoding: name, as: UTF8.self)) }
    }

    /// Adds a field of another section byte for byte.
    fileprivate mutating func append(_ other: HTTPHeaders, at index: Int) {
        let line = other.withBytes(at: index) { name, value in name + [UInt8(ascii: ":")] + value }
        _ = append(line: Array(line).span)
    }
}
