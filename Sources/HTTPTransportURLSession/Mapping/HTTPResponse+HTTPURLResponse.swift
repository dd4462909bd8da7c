import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response's head as URLSession shows it, corrected as far as possible.
struct ReceivedHead {
    let head: HTTPResponse.Head
    /// The number of bytes that the delegate will receive, if the head says so.
    let expectedLength: Int64?
    let hasContent: Bool
    let isDecoded: Bool

    /// The limit on the bytes of all names and values of a head. A larger head is refused.
    static let byteLimit = 256 << 10
    /// The limit on the names in a head. A head with more is refused.
    static let fieldLimit = 1000
    /// The limit on interim responses before the head.
    static let interimLimit = 20

    /// - Throws: `protocolViolation`, `headersTooLarge`.
    init(_ response: HTTPURLResponse, to request: HTTPRequest) throws(HTTPError) {
        guard let status = HTTPStatus(code: response.statusCode) else {
            throw Self.violation("the status \(response.statusCode) is not in 100...999")
        }
        var headers = HTTPHeaders()
        var size = 0
        // URLSession keeps no order. The fields are sorted by name, so that their order is always
        // the same.
        let fields = response.allHeaderFields.compactMap { name, value in
            (name.base as? String).flatMap { name in (value as? String).map { (name, $0) } }
        }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            size += name.utf8.count + value.utf8.count + 4
            let name = HTTPHeaderName(name)
            for value in name == .setCookie ? Self.unfoldCookies(value) : [value] {
                do throws(HTTPError) {
                    try headers.append(name, value.trimmingBlanks)
                } catch {
                    throw Self.violation(error.message)
                }
            }
        }
        guard size <= Self.byteLimit else {
            throw HTTPError(
                .headersTooLarge,
                "the response's fields have \(size) bytes, more than \(Self.byteLimit)",
                phase: .waiting, mayHaveReachedServer: true)
        }
        guard fields.count <= Self.fieldLimit else {
            throw HTTPError(
                .headersTooLarge,
                "the response has \(fields.count) fields, more than \(Self.fieldLimit)",
                phase: .waiting, mayHaveReachedServer: true)
        }
        guard !headers.contains(.contentLength) || !headers.contains(.transferEncoding) else {
            throw Self.violation("it has Content-Length and Transfer-Encoding (RFC 9112 §6.3)")
        }
        // This transport asks for no other coding, and libcurl would remove only one layer of
        // chunks.
        let transferCodings = headers[values: .transferEncoding].map { $0.lowercased() }
        guard transferCodings.isEmpty || transferCodings == ["chunked"] else {
            throw Self.violation("Transfer-Encoding must be chunked, once (RFC 9112 §6.1)")
        }
        let length = try Self.contentLength(headers)
        hasContent =
            request.method != .head && status.class != .informational && status != .noContent
            && status != .notModified
        let codings = ContentCodings(headers)
        if hasContent { try Self.refuseStacks(codings) }
        isDecoded = hasContent && !codings.names.isEmpty
        if isDecoded {
            headers.remove(.contentEncoding)
            headers.remove(.contentLength)
        }
        expectedLength =
            !hasContent ? 0 : isDecoded || headers.contains(.transferEncoding) ? nil : length
        head = HTTPResponse.Head(status: status, headers: headers, url: request.url)
    }

    /// Throws an error if there is more than one coding.
    ///
    /// Each coding multiplies the size that the outer one has produced, and URLSession decodes them
    /// in one step, so a few hundred bytes can take days.
    private static func refuseStacks(_ codings: ContentCodings) throws(HTTPError) {
        guard codings.names.count > 1 else { return }
        let list = codings.names.prefix(8).joined(separator: ", ").logSafe
        throw HTTPError(
            .contentDecodingFailed,
            "the content has \(codings.names.count) codings, \(list), and URLSession decodes no "
                + "more than one safely",
            phase: .receiving, mayHaveReachedServer: true)
    }

    /// Returns the announced length. libcurl takes the last of several lengths; here all must be
    /// equal (RFC 9110 §8.6).
    private static func contentLength(_ headers: HTTPHeaders) throws(HTTPError) -> Int64? {
        guard headers.contains(.contentLength) else { return nil }
        var length: Int64?
        for part in headers[values: .contentLength].flatMap(\.listElements) {
            let digits = part.trimmingBlanks
            guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int64(digits),
                length == nil || length == value
            else { throw violation("its Content-Length fields contradict each other") }
            length = value
        }
        return length
    }

    private static func violation(_ reason: String) -> HTTPError {
        HTTPError(
            .protocolViolation, "the response is not HTTP: \(reason)", phase: .waiting,
            mayHaveReachedServer: true)
    }

    /// Splits `Set-Cookie` fields that URLSession has joined with `", "`, as far as that is
    /// possible: where text like `name=` follows, which never occurs inside a date.
    ///
    /// A cookie whose value has a comma, a blank and such a word is split wrongly. RFC 6265 §4.1.1
    /// allows no comma in a value.
    static func unfoldCookies(_ value: String) -> [String] {
        var cookies: [String] = []
        for part in value.split(separator: ", ", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let beginsCookie =
                name.endIndex < part.endIndex && part[name.endIndex] == "="
                && HTTPHeaderName(String(name)).isToken
            if beginsCookie || cookies.isEmpty {
                cookies.append(String(part))
            } else {
                cookies[cookies.count - 1] += ", " + part
            }
        }
        return cookies
    }
}

extension String {
    /// The elements between commas; nearly always there is only one.
    fileprivate var listElements: [String] {
        if utf8.contains(UInt8(ascii: ",")) { return split(separator: ",").map(String.init) }
        return isEmpty ? [] : [self]
    }

    /// The value without the blanks around it, which are not part of a field's value.
    fileprivate var trimmingBlanks: String {
        let isBlank = { (character: Unicode.Scalar) in character == " " || character == "\t" }
        guard let first = unicodeScalars.first, let last = unicodeScalars.last,
            isBlank(first) || isBlank(last)
        else { return self }
        var view = unicodeScalars.drop(while: isBlank)
        while let last = view.last, isBlank(last) { view.removeLast() }
        return String(view)
    }
}
