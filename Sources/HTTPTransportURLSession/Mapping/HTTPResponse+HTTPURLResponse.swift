import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A head as URLSession shows it, put right as far as it can be.
struct ReceivedHead {
    let head: HTTPResponse.Head
    /// How many bytes the delegate will see, if the head says so.
    let expectedLength: Int64?
    let hasContent: Bool
    let isDecoded: Bool

    /// All names and values of a head together; a head of more is refused.
    static let byteLimit = 256 << 10
    /// A head of more names is refused.
    static let fieldLimit = 1000
    /// How many interim responses may come before the head.
    static let interimLimit = 20

    /// - Throws: `protocolViolation`, `headersTooLarge`.
    init(_ response: HTTPURLResponse, to request: HTTPRequest) throws(HTTPError) {
        guard let status = HTTPStatus(code: response.statusCode) else {
            throw Self.violation("the status \(response.statusCode) is not in 100...999")
        }
        var headers = HTTPHeaders()
        var size = 0
        // URLSession keeps no order: theirs here is that of the names, so that it is always the same.
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
            throw Self.violation("both Content-Length and Transfer-Encoding (RFC 9112 §6.3)")
        }
        // No request of ours asks for another coding, and libcurl would take chunks of chunks apart once.
        let transferCodings = headers[values: .transferEncoding].map { $0.lowercased() }
        guard transferCodings.isEmpty || transferCodings == ["chunked"] else {
            throw Self.violation("Transfer-Encoding is not chunked, once (RFC 9112 §6.1)")
        }
        let length = try Self.contentLength(headers)
        hasContent =
            request.method != .head && status.class != .informational && status != .noContent
            && status != .notModified
        let codings = ContentCodings(headers)
        if hasContent { try codings.refuseStacks() }
        isDecoded = hasContent && !codings.names.isEmpty
        if isDecoded {
            headers.remove(.contentEncoding)
            headers.remove(.contentLength)
        }
        expectedLength =
            !hasContent ? 0 : isDecoded || headers.contains(.transferEncoding) ? nil : length
        head = HTTPResponse.Head(status: status, headers: headers, url: request.url)
    }

    /// libcurl takes the last of several lengths; all have to be one (RFC 9110 §8.6).
    private static func contentLength(_ headers: HTTPHeaders) throws(HTTPError) -> Int64? {
        guard headers.contains(.contentLength) else { return nil }
        var length: Int64?
        for part in headers[values: .contentLength].flatMap(\.listElements) {
            let digits = part.trimmingBlanks
            guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int64(digits),
                length == nil || length == value
            else { throw violation("the response's Content-Length fields contradict each other") }
            length = value
        }
        return length
    }

    private static func violation(_ reason: String) -> HTTPError {
        HTTPError(
            .protocolViolation, "the response is not HTTP: \(reason)", phase: .waiting,
            mayHaveReachedServer: true)
    }

    /// Takes `Set-Cookie` fields apart that URLSession has joined with `", "`, as far as can be told:
    /// where something like `name=` follows, which it never does inside a date.
    ///
    /// A cookie whose value has a comma, a blank and such a word is torn; RFC 6265 §4.1.1 allows no
    /// comma in a value.
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
    /// What stands between commas; nearly always all of it.
    fileprivate var listElements: [String] {
        if utf8.contains(UInt8(ascii: ",")) { return split(separator: ",").map(String.init) }
        return isEmpty ? [] : [self]
    }

    /// Without the blanks around it that are no part of a field's value.
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
