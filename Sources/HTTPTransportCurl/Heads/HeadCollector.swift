package import HTTPCore

/// A collector that turns the lines that libcurl reports into heads and trailers. It refuses lines
/// that RFC 9112 forbids and libcurl lets pass.
///
/// A value without I/O: lines in, events out. libcurl reports one line per call, including its line
/// end, for every interim response too. A line that begins with `HTTP/` starts a new head.
package struct HeadCollector: Equatable {
    package enum Event: Equatable {
        case none
        case informational
        /// The head of the final response is complete.
        case head
    }

    package enum Violation: Error, Equatable {
        case malformed(String)
        case tooLarge(String)
    }

    static let lineLimit = 64 << 10
    static let sectionLimit = 256 << 10
    /// The limit on a head, or for HTTP/2 the size from which on the library refuses it.
    static func sectionLimit(isHTTP2: Bool) -> Int { isHTTP2 ? 128 << 10 : sectionLimit }
    static let fieldLimit = 1000
    static let interimLimit = 20

    private enum Stage { case start, fields, trailers }

    private var stage = Stage.start
    private var bytes = 0
    private var interims = 0
    package private(set) var status: HTTPStatus?
    private(set) var version: HTTPVersion?
    package private(set) var headers = HTTPHeaders()
    private(set) var trailers: HTTPHeaders?
    /// The length of the body as framed, if the head contains it.
    private(set) var contentLength: Int64?
    /// `true` if the final head frames the body in chunks.
    private(set) var isChunked = false
    /// `true` if the final head has a `Content-Encoding`.
    private(set) var isCoded = false
    /// `true` if the final head has a `Keep-Alive`.
    private(set) var announcesIdleTimeout = false

    package init() {}

    package mutating func receive(_ line: Span<UInt8>) throws(Violation) -> Event {
        bytes += line.count
        guard line.count <= Self.lineLimit else {
            throw .tooLarge("a header line is longer than \(Self.lineLimit) bytes")
        }
        guard bytes <= Self.sectionLimit else {
            throw .tooLarge("the header section is longer than \(Self.sectionLimit) bytes")
        }
        // libcurl 8.18 and later also report an unterminated line at the end of the connection.
        guard line.count > 0, line[line.count - 1] == UInt8(ascii: "\n") else {
            throw .malformed("a header line has no end (RFC 9112 §2.1)")
        }
        var end = line.count - 1
        if end > 0, line[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let text = line.extracting(..<end)

        if stage == .start, Self.startsHead(text) {
            try startHead(text)
            return .none
        }
        switch stage {
        case .start: throw .malformed("the response does not start with a status line")
        case .fields where text.isEmpty: return try endHead()
        case .trailers where text.isEmpty: return .none
        case .fields:
            try Self.append(text, to: &headers)
            return .none
        case .trailers:
            var section = trailers ?? HTTPHeaders()
            try Self.append(text, to: &section)
            trailers = section
            return .none
        }
    }

    /// Takes a whole head at once, without the empty line at its end: the first one, final, and
    /// with nothing unusual in it.
    ///
    /// - Returns: `false` if it was not taken. Its lines then are to be given one by one, which
    ///   says what is wrong with them, if anything is.
    package mutating func receive(head: Span<UInt8>) -> Bool {
        guard stage == .start, interims == 0, Self.startsHead(head) else { return false }
        guard let end = Self.firstReturn(in: head), end + 1 < head.count,
            head[end + 1] == UInt8(ascii: "\n")
        else {
            return false
        }
        guard (try? take(head, statusLineEnd: end)) == true else {
            self = HeadCollector()
            return false
        }
        return true
    }

    private mutating func take(
        _ head: Span<UInt8>, statusLineEnd end: Int
    ) throws(Violation) -> Bool {
        try startHead(head.extracting(..<end))
        guard let status, status.class != .informational,
            let fields = HTTPHeaders(
                lines: head.extracting((end + 2)...), limit: Self.fieldLimit)
        else { return false }
        headers = fields
        return try endHead() == .head
    }

    private static func firstReturn(in bytes: Span<UInt8>) -> Int? {
        for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "\r") { return index }
        return nil
    }

    private static func startsHead(_ line: Span<UInt8>) -> Bool {
        line.count >= 5 && line[0] == UInt8(ascii: "H") && line[1] == UInt8(ascii: "T")
            && line[2] == UInt8(ascii: "T") && line[3] == UInt8(ascii: "P")
            && line[4] == UInt8(ascii: "/")
    }

    private static let framingFields: [HTTPHeaderName] = [.contentLength, .transferEncoding]

    private static func append(
        _ line: Span<UInt8>, to section: inout HTTPHeaders
    ) throws(Violation) {
        guard section.count < fieldLimit else {
            throw .tooLarge("the response has more than \(fieldLimit) fields")
        }
        // libcurl before 8.18 does not join folded lines, so it has framed the body by part of the
        // field.
        if line[0].isBlank, let name = section.last?.name, framingFields.contains(name) {
            throw .malformed("\(name) is folded over lines (RFC 9112 §5.2)")
        }
        let isField =
            line[0].isBlank ? section.appendToLast(folded: line) : section.append(line: line)
        guard isField else {
            throw .malformed("a header line is not a field (RFC 9112 §5)")
        }
    }

    // MARK: Heads

    private mutating func startHead(_ line: Span<UInt8>) throws(Violation) {
        // HTTP/1.1 200 OK, HTTP/2 200
        var index = 5
        while index < line.count, line[index] != UInt8(ascii: " ") { index += 1 }
        let version = Self.version(line.extracting(5..<index))
        guard let version, index + 4 <= line.count,
            index + 4 == line.count || line[index + 4] == UInt8(ascii: " ")
        else { throw .malformed("the status line is malformed (RFC 9112 §4)") }
        var code = 0
        for position in index + 1..<index + 4 {
            guard line[position].isASCIIDigit else {
                throw .malformed("the status code is not a number (RFC 9112 §4)")
            }
            code = code * 10 + Int(line[position] - UInt8(ascii: "0"))
        }
        for position in index + 4..<line.count where !line[position].isFieldValueCharacter {
            throw .malformed("the reason phrase holds a control character (RFC 9112 §4)")
        }
        guard let status = HTTPStatus(code: code) else {
            throw .malformed("the status code \(code) is less than 100 (RFC 9110 §15)")
        }
        self.status = status
        self.version = version
        headers = HTTPHeaders()
        contentLength = nil
        stage = .fields
    }

    private static func version(_ text: Span<UInt8>) -> HTTPVersion? {
        guard (1...3).contains(text.count) else { return nil }
        let minor = text.count == 3 && text[1] == UInt8(ascii: ".") ? text[2] : nil
        if text.count == 2 || (text.count == 3 && minor == nil) { return nil }
        switch (text[0], minor) {
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): return .http1_0
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): return .http1_1
        case (UInt8(ascii: "2"), nil), (UInt8(ascii: "2"), UInt8(ascii: "0")): return .http2
        case (UInt8(ascii: "3"), nil), (UInt8(ascii: "3"), UInt8(ascii: "0")): return .http3
        default: return nil
        }
    }

    private mutating func endHead() throws(Violation) -> Event {
        guard let status else { return .none }
        if status == .switchingProtocols {
            throw .malformed("the server switched protocols without being asked (RFC 9110 §15.2.2)")
        }
        if status.class == .informational {
            interims += 1
            guard interims <= Self.interimLimit else {
                throw .tooLarge("more than \(Self.interimLimit) interim responses")
            }
            stage = .start
            bytes = 0
            return .informational
        }
        isChunked = headers.contains(.transferEncoding)
        if isChunked { try checkTransferEncoding() }
        isCoded = headers.contains(.contentEncoding)
        announcesIdleTimeout = headers.contains(.keepAlive)
        if headers.contains(.contentLength) { contentLength = try checkedContentLength() }
        stage = .trailers
        bytes = 0
        return .head
    }

    /// Checks that `Transfer-Encoding` is `chunked`, once (RFC 9112 §6.1). No request of this
    /// transport asks for another coding, and versions of libcurl read lists of codings
    /// differently.
    private func checkTransferEncoding() throws(Violation) {
        let values = headers[values: .transferEncoding]
        guard values.count == 1, values[0].lowercased() == "chunked" else {
            throw .malformed("Transfer-Encoding is not chunked, once (RFC 9112 §6.1)")
        }
    }

    /// Returns the length: one number, or the same one several times, without other framing
    /// (RFC 9112 §6.3).
    private func checkedContentLength() throws(Violation) -> Int64 {
        guard !headers.contains(.transferEncoding) else {
            throw .malformed("both Content-Length and Transfer-Encoding (RFC 9112 §6.3)")
        }
        var length: Int64?
        try headers.forEachValue(of: .contentLength) { value throws(Violation) in
            if length == nil, let plain = Self.plainNumber(value) {
                length = plain
                return
            }
            var start = 0
            for end in 0...value.count
            where end == value.count || value[end] == UInt8(ascii: ",") {
                guard let number = Self.number(value.extracting(start..<end)) else {
                    throw .malformed("Content-Length is not a number (RFC 9110 §8.6)")
                }
                guard length == nil || length == number else {
                    throw .malformed("two different Content-Lengths (RFC 9112 §6.3)")
                }
                length = number
                start = end + 1
            }
        }
        guard let length else { throw .malformed("Content-Length is empty (RFC 9110 §8.6)") }
        return length
    }

    /// Returns the number in `text` if that is nothing but some digits, as nearly always.
    private static func plainNumber(_ text: Span<UInt8>) -> Int64? {
        guard (1...18).contains(text.count) else { return nil }
        var number: Int64 = 0
        for index in text.indices {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int64(digit)
        }
        return number
    }

    /// Returns the number in `text`, which is digits with blanks around them.
    private static func number(_ text: Span<UInt8>) -> Int64? {
        var digits = 0..<text.count
        while let first = digits.first, text[first].isBlank {
            digits = first + 1..<digits.upperBound
        }
        while let last = digits.last, text[last].isBlank { digits = digits.lowerBound..<last }
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for index in digits {
            guard text[index].isASCIIDigit else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(
                Int64(text[index] - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        return number
    }

    /// `true` if the final head is that of a body that ends with its connection (RFC 9112 §6.3).
    var endsWithConnection: Bool {
        stage == .trailers && !isChunked && contentLength == nil
            && (version == .http1_1 || version == .http1_0)
    }

    /// `true` if a server of HTTP/1.0 has sent chunks, which its version does not know. What comes
    /// after the response cannot be trusted (RFC 9112 §6.1).
    var hasFaultyFraming: Bool { isChunked && version == .http1_0 }

    /// Removes the fields that described the coded form, after decoding.
    mutating func removeCodedForm() {
        headers.remove(.contentEncoding)
        headers.remove(.contentLength)
    }
}

extension HeadCollector.Violation {
    var error: HTTPError {
        switch self {
        case .malformed(let reason):
            HTTPError(
                .protocolViolation, "the response is not HTTP: \(reason)", phase: .waiting,
                mayHaveReachedServer: true)
        case .tooLarge(let reason):
            HTTPError(
                .headersTooLarge, "the response's head is refused: \(reason)", phase: .waiting,
                mayHaveReachedServer: true)
        }
    }
}
