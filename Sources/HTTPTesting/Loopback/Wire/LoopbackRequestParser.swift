/// A parser of one request, from bytes in pieces of any size, which also keeps the bytes.
///
/// It is strict where leniency would hide a client's fault: bare line feeds, folded lines, a length
/// next to a transfer coding and the like are failures.
struct LoopbackRequestParser {
    enum Failure: Error, Equatable {
        case requestLine, field, headTooLong, length, transferCoding, chunk
    }

    /// The way in which the end of the content is found (RFC 9112 §6.3).
    enum Framing: Equatable { case length(Int), chunked }

    private enum Phase: Equatable {
        case head
        case content(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case complete
        case failed(Failure)
    }

    static let headLimit = 1 << 20

    /// The number of bytes of content to keep for the handler.
    private let contentLimit: Int
    /// The number of bytes after the head to keep for the log.
    private let loggedContentLimit: Int

    private var phase = Phase.head
    /// The line being read: a chunk's size, or a trailer.
    private var line: [UInt8] = []
    private var content: [UInt8] = []
    private var parsed: LoopbackRequest?

    /// The bytes as they were on the wire, up to the limit.
    private(set) var bytes: [UInt8] = []
    /// All bytes that belong to the request, kept or not.
    private(set) var byteCount = 0
    private(set) var contentCount = 0
    /// The framing, or `nil` until the head is complete.
    private(set) var framing: Framing?

    init(contentLimit: Int, loggedContentLimit: Int) {
        self.contentLimit = contentLimit
        self.loggedContentLimit = loggedContentLimit
    }

    var hasHead: Bool { parsed != nil }
    var isComplete: Bool { phase == .complete }
    var failure: Failure? { if case .failed(let failure) = phase { failure } else { nil } }

    /// Returns `true` if the content is known to be longer than `limit`.
    func exceeds(_ limit: Int) -> Bool {
        if case .length(let length) = framing { return length > limit }
        return contentCount > limit
    }

    /// The request with what has arrived so far; `nil` until its head is complete.
    var request: LoopbackRequest? {
        guard var request = parsed else { return nil }
        request.contentCount = contentCount
        request.isComplete = isComplete
        if isComplete, contentCount == content.count { request.content = content }
        return request
    }

    /// Takes the bytes of this request, and returns the rest, which belong to the next request.
    mutating func receive(_ input: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = input
        while !rest.isEmpty {
            switch phase {
            case .complete: return rest
            case .failed:
                record(rest)
                return []
            case .head: receiveHead(&rest)
            case .content(let remaining):
                let left = receiveContent(&rest, remaining)
                phase = left == 0 ? .complete : .content(remaining: left)
            case .chunk(let remaining):
                let left = receiveContent(&rest, remaining)
                phase = left == 0 ? .chunkEnd : .chunk(remaining: left)
            case .chunkSize, .chunkEnd, .trailers:
                if let line = receiveLine(&rest) { receive(line: line) }
            }
        }
        return rest
    }

    private mutating func record(_ piece: ArraySlice<UInt8>) {
        byteCount += piece.count
        let head = parsed?.head.count ?? Self.headLimit
        let (sum, isBeyond) = head.addingReportingOverflow(loggedContentLimit)
        let limit = isBeyond ? .max : sum
        if bytes.count < limit { bytes.append(contentsOf: piece.prefix(limit - bytes.count)) }
    }

    // MARK: Head

    private mutating func receiveHead(_ rest: inout ArraySlice<UInt8>) {
        let searchStart = max(0, bytes.count - 3)
        bytes.append(contentsOf: rest)
        // An empty line before the request line is ignored (RFC 9112 §2.2).
        let start = bytes.starts(with: [13, 10]) ? 2 : 0
        guard let end = Self.headEnd(in: bytes, from: max(searchStart, start)) else {
            byteCount = bytes.count
            rest = []
            if bytes.count > Self.headLimit { phase = .failed(.headTooLong) }
            return
        }
        let excess = bytes.count - end
        bytes.removeLast(excess)
        byteCount = bytes.count
        rest = rest.suffix(excess)
        do {
            let request = try Self.parse(Array(bytes[start...]))
            let framing = try Self.framing(of: request)
            self.parsed = request
            self.framing = framing
            switch framing {
            case .length(0): phase = .complete
            case .length(let length): phase = .content(remaining: length)
            case .chunked: phase = .chunkSize
            }
        } catch {
            phase = .failed(error)
        }
    }

    private static func headEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 3
        while index < bytes.count {
            if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10,
                bytes[index - 3] == 13
            {
                return index + 1
            }
            index += 1
        }
        return nil
    }

    private static func parse(_ head: [UInt8]) throws(Failure) -> LoopbackRequest {
        let lines = head.dropLast(2).split(separator: 10, omittingEmptySubsequences: false)
            .dropLast()
        guard lines.allSatisfy({ $0.last == 13 && !$0.dropLast().contains(13) }),
            let first = lines.first
        else { throw .requestLine }

        let parts = first.dropLast().split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[0].allSatisfy(isTokenByte),
            parts[2].starts(with: Array("HTTP/".utf8))
        else { throw .requestLine }

        var fields: [(name: String, value: String)] = []
        fields.reserveCapacity(lines.count - 1)
        for line in lines.dropFirst() {
            guard let field = field(line.dropLast()) else { throw .field }
            fields.append(field)
        }
        return LoopbackRequest(
            method: String(decoding: parts[0], as: UTF8.self),
            target: String(decoding: parts[1], as: UTF8.self),
            version: String(decoding: parts[2], as: UTF8.self), fields: fields, head: head)
    }

    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: 58) else { return nil }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { return nil }
        let isSpace = { (byte: UInt8) in byte == 32 || byte == 9 }
        var value = line[(colon + 1)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// Returns `true` if `byte` is allowed in a token (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        case 33, 35...39, 42, 43, 45, 46, 94, 95, 96, 124, 126: true
        default: false
        }
    }

    private static func framing(of request: LoopbackRequest) throws(Failure) -> Framing {
        var lengths: Set<String> = []
        var codings: [Substring] = []
        for (name, value) in request.fields {
            switch name.lowercased() {
            case "content-length": lengths.insert(value)
            case "transfer-encoding": codings += value.lowercased().split(separator: ",")
            default: break
            }
        }
        if !codings.isEmpty {
            guard lengths.isEmpty, codings.last?.filter({ $0 != " " && $0 != "\t" }) == "chunked"
            else {
                throw .transferCoding
            }
            return .chunked
        }
        guard lengths.count <= 1 else { throw .length }
        guard let text = lengths.first else { return .length(0) }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(text) else {
            throw .length
        }
        return .length(length)
    }

    // MARK: Content

    /// Takes up to `remaining` bytes of content, and returns how many are still missing.
    private mutating func receiveContent(_ rest: inout ArraySlice<UInt8>, _ remaining: Int) -> Int {
        let bytes = rest.prefix(remaining)
        record(bytes)
        contentCount += bytes.count
        // Longer content is not given to a handler, so nothing of it is kept.
        if exceeds(contentLimit) { content = [] } else { content.append(contentsOf: bytes) }
        rest = rest.dropFirst(bytes.count)
        return remaining - bytes.count
    }

    /// Takes bytes up to the end of a line, and returns the line once it is complete, without its
    /// end.
    private mutating func receiveLine(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let end = rest.firstIndex(of: 10)
        let bytes = end.map { rest[...$0] } ?? rest
        record(bytes)
        line.append(contentsOf: bytes)
        rest = rest.dropFirst(bytes.count)
        guard end != nil else {
            if line.count > Self.headLimit { phase = .failed(.chunk) }
            return nil
        }
        defer { line = [] }
        guard line.count >= 2, line[line.count - 2] == 13 else {
            phase = .failed(.chunk)
            return nil
        }
        return line.dropLast(2)
    }

    private mutating func receive(line: [UInt8]) {
        switch phase {
        case .chunkSize:
            // Chunk extensions are ignored (RFC 9112 §7.1.1).
            let digits = line.prefix { $0 != 59 && $0 != 32 && $0 != 9 }
            guard let first = digits.first, first != 43, first != 45,
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                phase = .failed(.chunk)
                return
            }
            phase = size == 0 ? .trailers : .chunk(remaining: size)
        case .chunkEnd:
            phase = line.isEmpty ? .chunkSize : .failed(.chunk)
        case .trailers where line.isEmpty:
            phase = .complete
        case .trailers:
            if let field = Self.field(line[...]) {
                parsed?.trailers.append(field)
            } else {
                phase = .failed(.field)
            }
        default: break
        }
    }
}
